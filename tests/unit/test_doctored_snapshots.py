"""Snapshots from strangers: one sentence, or an agent that stays within its ranges."""

import copy
import gzip
import io
import itertools
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
from unit.doctoring import LEARNERS, arrays, drive, load, npy, parts, saved, whole, with_header

from onebit import Agent
from onebit.agent.open_decisions import Open
from onebit.errors import BadFile, BadParameter, TooLarge
from onebit.kernel.rows import Dense
from onebit.kernel.state import remembered

#: So many doctored values of a learner are tried, out of all; fewer in plain Python.
MOST_CASES, MOST_PLAIN_CASES = 300, 120
#: Learners that take long to compile; plain Python raises an IndexError where they write elsewhere.
PLAIN = ("auto", "auto:size=light", "newtron", "pairs", "mlp:hidden=4")


def cases(spec, members):
    """Return what may be set in each array, and where."""
    for name, array in arrays(members).items():
        if name.startswith("open.") and spec not in ("banditron", "exp4"):
            continue  # they are the same for all learners
        values = [-1, 0, 1, 2**31 - 1, -(2**31)]
        if array.dtype.kind == "f":
            values += [0.5, np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-308, -0.0]
        if array.dtype == np.int64:
            values += [2**63 - 1, -(2**63)]
        places = [slice(None), *([0, array.size // 2] if array.size else [])]
        yield from itertools.product([name], values, places)


@pytest.mark.compiled
@pytest.mark.parametrize("spec", LEARNERS)
def test_doctored_values_in_every_array_with_right_checksums(spec, monkeypatch):
    if spec in PLAIN:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    content, advice = saved(spec)
    members = parts(content)
    found = [*cases(spec, members)]
    most = MOST_PLAIN_CASES if spec in PLAIN else MOST_CASES
    for n in np.random.default_rng(4).permutation(len(found))[:most]:
        name, value, place = found[n]
        doctored = arrays({name: members[name]})[name]
        with np.errstate(all="ignore"):
            try:
                doctored.flat[place] = value
            except (OverflowError, ValueError):
                continue
        agent = load(whole({**members, name: npy(doctored)}))
        if agent is not None:
            drive(agent, advice, rounds=4)


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
     {"raw_features": 2**31},
     {"seed": "x"}, {"open": 0}, {"open": -5}, {"round": 2**63}, {"round": 1.5}, {"round": None},
     {"round": 1}, {"agent": ""}, {"agent": 3}, {"columns": [[0, 1]]}, {"columns": [[0, 9, 9]]},
     {"columns": 5}, {"retired": [0, 1, 2]}, {"retired": [7]}, {"retired": [-1]}, {"format": 0.5},
     {"format": True}, {"format": None}, {"retired": "x"}],
)  # fmt: skip
def test_a_header_out_of_range_is_one_sentence(header):
    content, _ = saved("banditron")
    assert load(with_header(parts(content), **header)) is None


def test_an_encoder_and_a_learner_of_advice_are_refused():
    """Advice is what kernels index by; the features of a table could be any number."""
    table = {"size": [n + 0.5 for n in range(40)], "kind": [*"ep"] * 20}
    members = parts(Agent.from_table(table, "kind", "banditron", scale=False, seed=1).to_bytes())
    header = {**json.loads(members["onebit.json"]), "learner": "exp4"}
    other = parts(Agent("exp4", ["e", "p"], features=header["features"], seed=1).to_bytes())
    assert load(with_header(other, **header)) is None


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
    for wrong in (-1, math.nan, None, "1e9", True, np.complex128(1), np.timedelta64(1, "s")):
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
            drive(agent, advice, rounds=2)


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
    for call in (agent.save, Agent.load):  # opening it would wait for ever
        with pytest.raises(BadFile, match="it is not a regular file"):
            call(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    for wrong in ("", None, 5, b""):
        with pytest.raises(BadFile):
            agent.save(wrong)
        with pytest.raises(BadFile):
            Agent.load(wrong)
    with pytest.raises(BadFile, match="binary"):
        Agent.load(io.StringIO("text"))
    torn = gzip.compress(made.getvalue())[:100]
    with pytest.raises(BadFile, match=r"the file cannot be read: Compressed file ended [^\n]*\.$"):
        Agent.load(gzip.GzipFile(fileobj=io.BytesIO(torn)))


class Slow(io.RawIOBase):
    """A file that takes a thousand bytes at a time, and as many as `most` in all."""

    def __init__(self, most):
        self.content, self.most = b"", most

    def write(self, content):
        taken = bytes(content[: min(1000, self.most - len(self.content))])
        self.content += taken
        return len(taken) or None


def test_a_file_object_that_takes_fewer_bytes_gets_the_rest(monkeypatch):
    agent = Agent("banditron", labels=[1, 2], features=3)
    agent.save(slow := Slow(10**6))
    assert slow.content == agent.to_bytes()
    with pytest.raises(BadFile, match=r"cannot be written: it takes no more bytes now\."):
        agent.save(Slow(1500))
    monkeypatch.setattr(Slow, "write", lambda self, content: -1)
    with pytest.raises(BadFile, match="takes no more bytes"):
        agent.save(Slow(1500))


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
