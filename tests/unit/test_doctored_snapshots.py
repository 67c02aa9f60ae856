"""Snapshots from strangers: one sentence, or an agent that stays within its ranges."""

import copy
import io
import json
import math
import os
import pickle
import resource
import stat
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from pace import some

from onebit import Agent, BadInput
from onebit.agent.open_decisions import Open
from onebit.errors import BadFile, BadParameter, DamagedSnapshot, TooLarge
from onebit.kernel.rows import Dense
from onebit.kernel.state import remembered

LEARNERS = {
    "banditron": {}, "naive-bayes": {}, "cova:base=naive-bayes": {}, "banditboost:n=3": {},
    "banditboost:n=3,weak=ogd": {}, "boost:n=2,weak=stump": {}, "exp3": {}, "exp3ix": {},
    "exp3p": {}, "winnow-bandit": {}, "winnow": {"labels": [0, 1]}, "majority": {},
    "label-ranking": {}, "exp4": {"advice": True}, "soa": {"advice": True},
    "bandit-halving": {"advice": True}, "weighted-majority": {"advice": True},
    "cover-halving:D=2": {"labels": [0, 1]},
}  # fmt: skip
HEARS_LABEL = ("naive-bayes", "boost", "winnow", "majority", "soa", "weighted-majority")


def row(rng, advice, width):
    return rng.integers(0, 2, width) if advice else rng.random(width) / 10


def drive(agent, spec, advice, rounds=12):
    """Let an agent decide and learn; what it says must be labels with true probabilities."""
    rng = np.random.default_rng(1)
    label = spec.split(":")[0] in HEARS_LABEL
    for n in range(rounds):
        x = row(rng, advice, agent.features)
        try:
            with np.errstate(all="ignore"):  # plain Python kernels warn, compiled ones do not
                choice = agent.decide(x)
                assert choice.label in agent.labels
                assert 0 < choice.prob <= 1
                assert 0 < choice.marginal <= 1
                assert abs(sum(agent.probabilities(x).values()) - 1) < 1e-6
                feedback = {"truth": agent.labels[n % 2]} if label else {"correct": n % 2 == 0}
                agent.learn(choice, **feedback)
        except BadInput as error:
            assert str(error).endswith(".")


def saved(spec):
    more = dict(LEARNERS[spec])
    advice = more.pop("advice", False)
    labels = more.pop("labels", [0, 1, 2])
    features = 2 if spec.startswith("cover") else 4
    agent = Agent(spec, labels=labels, features=features, seed=3)
    drive(agent, spec, advice)
    for _ in range(3):
        agent.decide(row(np.random.default_rng(2), advice, features))
    return agent.to_bytes(), advice


def parts(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def whole(members, compression=zipfile.ZIP_STORED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def npy(array):
    made = io.BytesIO()
    np.lib.format.write_array(made, array, allow_pickle=False)
    return made.getvalue()


def load(content):
    """Return the agent, or None if the content is refused in one sentence."""
    try:
        return Agent.from_bytes(content)
    except BadInput as error:
        assert isinstance(error, DamagedSnapshot)
        assert error.code == "damaged_snapshot"
        assert str(error).endswith(".")
        assert "\n" not in str(error)
        return None


@pytest.mark.compiled
@pytest.mark.parametrize("spec", LEARNERS)
def test_doctored_values_in_every_array_with_right_checksums(spec):
    content, advice = saved(spec)
    members = parts(content)
    for name in members:
        if not name.endswith(".npy"):
            continue
        array = np.lib.format.read_array(io.BytesIO(members[name]))
        values = [-1, 0, 1, 2**31 - 1, -(2**31)]
        if array.dtype.kind == "f":
            values += [np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-308, -0.0]
        if array.dtype == np.int64:
            values += [2**63 - 1, -(2**63)]
        for value in values:
            for where in ("all", "one"):
                doctored = array.copy()
                with np.errstate(all="ignore"):
                    try:
                        if where == "all" or not doctored.size:
                            doctored[...] = value
                        else:
                            doctored.flat[doctored.size // 2] = value
                    except (OverflowError, ValueError):
                        continue
                agent = load(whole({**members, name: npy(doctored)}))
                if agent is not None:
                    drive(agent, spec, advice, rounds=4)


@pytest.mark.parametrize("spec", ["banditron", "cova:base=naive-bayes", "exp4"])
def test_other_shapes_and_types_are_refused(spec):
    content, _ = saved(spec)
    members = parts(content)
    for name in members:
        if name.endswith(".npy"):
            array = np.lib.format.read_array(io.BytesIO(members[name]))
            if not array.size:
                continue
            for other in (array[None], array.astype(np.complex128), array.astype("f4")[None],
                          np.concatenate([array, array]), np.zeros((0, 3)),
                          np.array("text")):  # fmt: skip
                assert load(whole({**members, name: npy(other)})) is None, name


@pytest.mark.parametrize(
    "header",
    [{"learner": 5}, {"learner": None}, {"learner": ["banditron"]}, {"learner": "x" * 10**5},
     {"labels": [[["deep"]]]}, {"labels": [1]}, {"labels": [1, 1]}, {"labels": {"a": 1}},
     {"features": 2**62}, {"features": 0}, {"features": True}, {"features": 2**31}, {"seed": -1},
     {"seed": "x"}, {"open": 0}, {"open": -5}, {"round": 2**63}, {"round": 1.5}, {"round": None},
     {"round": 1}, {"agent": ""}, {"agent": 3}, {"columns": [[0, 1]]}, {"columns": [[0, 9, 9]]},
     {"columns": 5}, {"retired": [0, 1, 2]}, {"retired": [7]}, {"retired": [-1]}, {"format": 0.5},
     {"format": True}, {"format": None}, {"retired": "x"}],
)  # fmt: skip
def test_a_header_out_of_range_is_one_sentence(header):
    content, _ = saved("banditron")
    members = parts(content)
    members["onebit.json"] = json.dumps({**json.loads(members["onebit.json"]), **header}).encode()
    assert load(whole(members)) is None


def test_an_encoder_and_a_learner_of_advice_are_refused():
    """Advice is what kernels index by; the features of a table could be any number."""
    table = {"size": [n + 0.5 for n in range(40)], "kind": [*"ep"] * 20}
    members = parts(Agent.from_table(table, "kind", "banditron", scale=False, seed=1).to_bytes())
    header = {**json.loads(members["onebit.json"]), "learner": "exp4"}
    other = parts(Agent("exp4", ["e", "p"], features=header["features"], seed=1).to_bytes())
    other["onebit.json"] = json.dumps(header).encode()
    assert load(whole(other)) is None


def test_unknown_and_compressed_members_are_refused():
    content, _ = saved("banditron")
    members = parts(content)
    assert load(whole(members)) is not None
    assert load(whole({**members, "extra.npy": npy(np.zeros(3))})) is None
    assert load(whole({**members, "learner.weights@rows.npy": npy(np.zeros(0, np.int64))})) is None
    assert load(whole(members, zipfile.ZIP_DEFLATED)) is None
    missing = {name: content for name, content in members.items() if "weights" not in name}
    assert load(whole(missing)) is None


def test_a_small_file_takes_little_memory():
    """A header that promises a huge array is refused before anything is read."""
    content, _ = saved("banditron")
    members = parts(content)
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    )
    for name in list(members):
        if name.endswith(".npy"):
            assert load(whole({**members, name: head.getvalue()})) is None


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_a_wide_agent_takes_memory_for_what_its_file_holds():
    content = Agent("banditron", labels=[1, 2, 3], features=2**23).to_bytes()

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    agent = Agent.from_bytes(content)
    assert resident() - before < 2**26  # its weights would be three times as much
    assert agent.features == 2**23


#: Learners with arrays that are filled when made, or that grow with the square of the width.
FILLED = {
    "arow": 60_000_000, "exp4": 200_000_000, "soba": 60_000_000, "soba-full": 30_000,
    "halving": 1_500_000_000, "weighted-majority": 200_000_000, "winnow": 100_000_000,
}  # fmt: skip


@pytest.mark.parametrize("spec", FILLED)
def test_a_small_file_may_not_declare_a_learner_that_takes_much_memory(spec):
    """The file has a few features of each array; the header says that there are millions."""
    agent = Agent(spec, labels=range(2 if spec == "winnow" else 3), features=4)
    members = parts(agent.to_bytes())
    header = json.loads(members["onebit.json"])
    members["onebit.json"] = json.dumps({**header, "features": FILLED[spec]}).encode()
    for path, held in remembered(agent._player.learner).items():
        if "features" in held.axes.axes:
            members.pop(f"learner.{path}.npy", None)
            members[f"learner.{path}@rows.npy"] = npy(np.arange(1))
            members[f"learner.{path}@values.npy"] = npy(held.array[:1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TooLarge, match=r"at most 1\.1 GB more \(memory=\), got an array of"):
        Agent.from_bytes(whole(members))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 100_000  # in KB


def test_how_much_memory_a_file_may_take_can_be_said(tmp_path):
    agent = Agent("arow", labels=[0, 1], features=100_000, seed=1)
    agent.decide({"a": 1})
    agent.save(tmp_path / "wide.npz")
    with pytest.raises(TooLarge, match=r"takes at most 0\.0 GB more"):
        Agent.load(tmp_path / "wide.npz", memory=1e6)
    for memory in (2e6, math.inf):
        assert Agent.load(tmp_path / "wide.npz", memory=memory).features == 100_000
    copied = copy.deepcopy(agent)
    assert copied.to_bytes() == pickle.loads(pickle.dumps(agent)).to_bytes() == agent.to_bytes()
    for wrong in (-1, math.nan, None, "1e9", True):
        with pytest.raises(BadParameter, match="memory must be a number of bytes"):
            Agent.load(tmp_path / "wide.npz", memory=wrong)


def test_many_open_decisions_among_many_labels_load_quickly():
    """The time must not be that of their product, fifty seconds here."""
    agent = Agent("uniform", labels=range(200_000), features=1)
    for agent.round in range(1, 2001):
        decision = Open(Dense(np.ones(1)), (0, 3, 0.5, 0.5), None, f"{agent.round:016x}")
        agent._open.add(agent.round, decision)
    content, before = agent.to_bytes(), time.perf_counter()
    assert len(Agent.from_bytes(content)._open) == 2000
    assert time.perf_counter() - before < 20


@pytest.mark.parametrize("spec", ["banditron", "cova:base=naive-bayes", "banditboost:n=3,weak=ogd"])
def test_bit_flips_are_noticed_or_harmless(spec):
    content, advice = saved(spec)
    rng = np.random.default_rng(5)
    for at in rng.integers(0, 8 * len(content), some(1000, 60)).tolist():
        flipped = bytearray(content)
        flipped[at // 8] ^= 1 << at % 8
        agent = load(bytes(flipped))
        if agent is not None:
            drive(agent, spec, advice, rounds=2)


def test_random_bytes_are_refused():
    rng = np.random.default_rng(6)
    for length in rng.integers(0, 3000, 300).tolist():
        assert load(rng.bytes(length)) is None
        assert load(b"PK\x03\x04" + rng.bytes(length)) is None


def test_a_snapshot_holds_only_the_features_that_were_touched(tmp_path):
    agent = Agent("banditron", labels=["a", "b", "c"], seed=1)
    for n in range(1000):
        agent.learn(agent.decide({f"name{n}": 1.0}), correct=n % 3 == 0)
    agent.save(tmp_path / "agent.npz")
    assert (tmp_path / "agent.npz").stat().st_size < 10**6
    again = Agent.load(tmp_path / "agent.npz")
    weights = agent._player.learner.weights
    assert again._player.learner.weights.tobytes() == weights.tobytes()


def test_files_pipes_links_and_devices(tmp_path):
    agent = Agent("banditron", labels=[1, 2], features=3)
    made = io.BytesIO()
    agent.save(made)
    assert Agent.load(io.BytesIO(made.getvalue())).id == agent.id
    real, link = tmp_path / "real.npz", tmp_path / "link.npz"
    agent.save(real)
    link.symlink_to(real)
    agent.decide([1, 2, 3])
    agent.save(link)
    assert link.is_symlink()
    assert Agent.load(real).round == 1
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadFile, match="it is not a regular file"):
        agent.save(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    for wrong in ("", None, 5, b""):
        with pytest.raises(BadFile):
            agent.save(wrong)
        with pytest.raises(BadFile):
            Agent.load(wrong)
    with pytest.raises(BadFile, match="binary"):
        Agent.load(io.StringIO("text"))


def test_saving_in_two_threads_leaves_a_whole_file(tmp_path):
    agent = Agent("banditron", labels=[1, 2], features=300)
    threads = [
        threading.Thread(target=lambda: [agent.save(tmp_path / "a.npz") for _ in range(20)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Agent.load(tmp_path / "a.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
