"""Snapshots: whole or refused, never half, never code."""

import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from onebit import Agent, BadInput


def trained(labels=("a", "b", "c"), **more):
    agent = Agent("banditron", labels=labels, features=5, seed=3, **more)
    for n in range(40):
        choice = agent.decide(np.eye(5)[n % 5])
        if n % 4:
            agent.learn(choice, correct=n % 3 == 0)
    agent.last = agent.decide({1: 2.0, 4: -1.0})
    return agent


@pytest.fixture
def saved(tmp_path):
    agent = trained()
    agent.save(tmp_path / "agent.npz")
    return agent, tmp_path / "agent.npz"


def go_on(agent):
    choices = [agent.decide(np.eye(5)[n % 5])[1:6] for n in range(50)]
    waiting = [number for number, _ in agent._open.items()]
    return choices, agent._player.learner.weights.tobytes(), waiting


def test_load_and_continue_is_as_if_never_stopped(saved):
    agent, path = saved
    again = Agent.load(path)
    assert again.id == agent.id
    assert go_on(again) == go_on(agent)


def test_open_decisions_come_along(saved):
    agent, path = saved
    again = Agent.load(path)
    for each in (agent, again):
        each.learn(agent.last, correct=True)
    assert go_on(again) == go_on(agent)


def test_equal_agents_make_equal_files(saved, tmp_path):
    _, path = saved
    Agent.load(path).save(tmp_path / "again.npz")
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


def test_numpy_can_open_it(saved):
    agent, path = saved
    with np.load(path, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["learner.weights"], agent._player.learner.weights)


@pytest.mark.parametrize("labels", [[1, 2], ["x", 1.5, None], [("a", 1), ("b", (2, 3))]])
def test_labels_come_back_as_they_were(labels, tmp_path):
    Agent("uniform", labels=labels, features=1).save(tmp_path / "a.npz")
    assert Agent.load(tmp_path / "a.npz").labels == tuple(labels)


def test_numpy_labels_are_saved_as_numbers(tmp_path):
    Agent("uniform", labels=np.arange(3), features=1).save(tmp_path / "a.npz")
    assert Agent.load(tmp_path / "a.npz").labels == (0, 1, 2)


def test_labels_that_json_does_not_know_are_refused(tmp_path):
    with pytest.raises(BadInput, match="labels must be strings"):
        Agent("uniform", labels=[frozenset("a"), frozenset("b")], features=1).save(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_an_agent_that_has_seen_nothing_can_be_saved(tmp_path):
    Agent("banditron", labels=[1, 2]).save(tmp_path / "a.npz")
    again = Agent.load(tmp_path / "a.npz")
    assert again.features is None
    again.decide([1.0, 2.0])


def test_every_truncation_is_refused(saved):
    _, path = saved
    whole = path.read_bytes()
    for length in sorted({0, 1, 10, len(whole) // 2, len(whole) - 1, *range(0, len(whole), 97)}):
        path.write_bytes(whole[:length])
        with pytest.raises(BadInput, match=r"is damaged or not a snapshot|is not a snapshot"):
            Agent.load(path)


def test_every_flipped_byte_is_noticed_or_harmless(saved):
    agent, path = saved
    whole = path.read_bytes()
    expected = go_on(agent)
    noticed = 0
    for at in range(0, len(whole), 23):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            again = Agent.load(path)
        except BadInput:
            noticed += 1
            continue
        assert go_on(again) == expected, f"byte {at} changed the agent unnoticed"
    assert noticed > 50


def change(path, members=(), **header):
    """Rewrite a snapshot with some fields of its header or some members replaced."""
    new = dict(members)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["onebit.json"] = json.dumps({**json.loads(members["onebit.json"]), **header}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**members, **new}.items():
            archive.writestr(name, content)


def test_a_newer_format_says_so(saved):
    _, path = saved
    change(path, format=99, onebit="7.0")
    with pytest.raises(BadInput, match=r"has format 99 of onebit 7.0; this version reads format 2"):
        Agent.load(path)


@pytest.mark.parametrize(
    "header",
    [{"features": 6}, {"labels": ["a", "b"]}, {"learner": "majority"}, {"round": "x"}, {"agent": 5},
     {"labels": 3}, {"features": "x"}, {"format": "one"}, {"round": -1}],
)  # fmt: skip
def test_a_header_that_does_not_fit_its_arrays_is_refused(saved, header):
    _, path = saved
    change(path, **header)
    with pytest.raises(BadInput):
        Agent.load(path)


def test_an_open_row_that_would_write_elsewhere_is_refused(saved):
    _, path = saved
    with np.load(path, allow_pickle=False) as arrays:
        indices = arrays["open.indices"].copy()
    indices[:] = 10**6
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, indices)
    change(path, members={"open.indices.npy": buffer.getvalue()})
    with pytest.raises(BadInput, match="damaged"):
        Agent.load(path)


def test_a_pickle_is_never_run(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (exec, ("raise SystemExit('ran')",))

    path = tmp_path / "bomb.npz"
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(BadInput):
        Agent.load(path)
    agent = trained()
    agent.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.array([Bomb()], object), allow_pickle=True)
    members["learner.weights.npy"] = buffer.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(BadInput, match="damaged"):
        Agent.load(path)


def test_a_foreign_learner_is_not_imported(saved):
    _, path = saved
    change(path, learner="antigravity.Learner:ties=random")
    with pytest.raises(BadInput, match="import its module first"):
        Agent.load(path)


def test_missing_and_unwritable_places_are_one_sentence(tmp_path):
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        Agent.load(tmp_path / "none.npz")
    with pytest.raises(BadInput, match="cannot be written"):
        trained().save(tmp_path / "no" / "such" / "place.npz")
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        Agent.load(tmp_path)


def test_a_failed_save_leaves_the_old_file(saved, monkeypatch):
    agent, path = saved
    before = path.read_bytes()

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(BadInput, match="No space left"):
        agent.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
