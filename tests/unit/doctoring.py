"""Snapshots that are taken apart, changed, and put together with right checksums."""

import io
import json
import zipfile

import numpy as np

from onebit import Agent, BadInput
from onebit.errors import DamagedSnapshot
from onebit.kernel.round import Label
from onebit.kernel.sizes import Column

LEARNERS = {
    "banditron": {}, "naive-bayes": {}, "cova:base=naive-bayes": {}, "banditboost:n=3": {},
    "banditboost:n=3,weak=ogd": {}, "boost:n=2,weak=stump": {}, "exp3": {}, "exp3ix": {},
    "exp3p": {}, "winnow-bandit": {}, "winnow": {"labels": [0, 1]}, "majority": {},
    "label-ranking": {}, "exp4": {"advice": True}, "soa": {"advice": True},
    "bandit-halving": {"advice": True}, "weighted-majority": {"advice": True},
    "cover-halving:D=2": {"labels": [0, 1]}, "auto": {}, "auto:size=light": {},
    "forest:trees=3": {}, "pairs": {},
    "mlp:hidden=4": {}, "softmax": {}, "softmax:explorer=optimism": {}, "arow": {}, "soba": {},
    "newtron": {}, "pnewtron": {}, "confidit": {}, "gappletron": {}, "one-vs-all": {},
    "halving": {"advice": True}, "consistent": {"advice": True}, "pa": {}, "perceptron": {},
    "banditron:gamma=0.1": {"columns": [Column(1, 1, 0)], "scale": True},
    "banditron:gamma=0.2": {"table": True},
}  # fmt: skip
TABLE = {"size": [1, 2, 9, 8], "colour": [*"rrgg"], "kind": [*"aabb"]}


def row(rng, advice, width):
    return rng.integers(0, 2, width) if advice else rng.random(width) / 10


def drive(agent, advice, rounds=12):
    """Let an agent decide and learn; what it says must be labels with true probabilities."""
    rng = np.random.default_rng(1)
    label = agent._hears is Label
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
    if more.pop("table", False):
        more["encoder"] = Agent.from_table(TABLE, "kind", "uniform")._encoder
        features = more["encoder"].features
    agent = Agent(spec, labels=labels, features=features, seed=3, **more)
    drive(agent, advice)
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


def arrays(members):
    """Return the arrays of a snapshot by name."""
    names = [name for name in members if name.endswith(".npy")]
    return {name: np.lib.format.read_array(io.BytesIO(members[name])) for name in names}


def with_array(members, name, place, value):
    """Return a snapshot with other values in an array."""
    doctored = arrays({name: members[name]})[name]
    doctored.flat[place] = value
    return whole({**members, name: npy(doctored)})


def with_header(members, **header):
    """Return a snapshot with other fields in its header, without those that are `...`."""
    fields = {**json.loads(members["onebit.json"]), **header}
    kept = {name: value for name, value in fields.items() if value is not ...}
    return whole({**members, "onebit.json": json.dumps(kept).encode()})
