"""A state machine of hypothesis that drives every public call of an agent, rightly and wrongly."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from onebit import Agent, BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows

WIDTH = 4
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**6), st.floats(), st.text(max_size=3),
    st.lists(st.floats(), max_size=5),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=3),
    st.lists(st.lists(st.floats(), min_size=WIDTH, max_size=WIDTH), max_size=3),
    st.dictionaries(st.integers(-1, WIDTH), st.floats(), max_size=3), st.binary(max_size=3),
    st.sampled_from([
        10**30, 2**63, 1j, (), (1, 2), object, np.ones(WIDTH, complex), np.ma.ones(WIDTH),
        np.ones((2, WIDTH)), np.array(["a"] * WIDTH), np.zeros(WIDTH, "M8[s]"), np.full(WIDTH,
        1e200),
        np.ones(WIDTH, object), np.float32(1), np.int64(-1), float("nan"), ["a", "b"], "\x1b[31m",
        frozenset("a"), range(10**9), [[1.0] * WIDTH, {0: 1.0}], [{"a": 1}, [1.0] * WIDTH],
        {"a": "b"},
    ]),
)  # fmt: skip
ROWS = st.lists(st.floats(-3, 3), min_size=WIDTH, max_size=WIDTH)


class AgentMachine(RuleBasedStateMachine):
    """Drives every public call of an agent with right and wrong arguments."""

    @initialize(
        learner=st.sampled_from(["banditron", "cova", "exp3", "label-ranking", "perceptron"])
    )
    def begin(self, learner):
        self.agent = Agent(learner, labels=["a", "b", "c", "d"], features=WIDTH, seed=1, open=5)
        self.choices, self.offers, self.many = [], [], []

    def attempt(self, call):
        try:
            return call()
        except BadInput as error:
            assert str(error).endswith(".")
            return None

    @rule(
        x=st.one_of(ROWS, ANYTHING), among=st.one_of(st.none(), st.lists(st.sampled_from("abcde")))
    )
    def decide(self, x, among):
        self.choices.append(self.attempt(lambda: self.agent.decide(x, among=among)))

    @rule(x=st.one_of(ROWS, ANYTHING), draw=ANYTHING)
    def decide_drawn(self, x, draw):
        self.choices.append(self.attempt(lambda: self.agent.decide(x, draw=draw)))

    @rule(at=st.integers(0, 50), correct=ANYTHING, truth=ANYTHING)
    def learn(self, at, correct, truth):
        choice = self.choices[at % len(self.choices)] if self.choices else None
        self.attempt(lambda: self.agent.learn(choice, correct=correct, truth=truth))

    @rule(at=st.integers(0, 50), bit=st.booleans())
    def learn_well(self, at, bit):
        choice = self.choices[at % len(self.choices)] if self.choices else None
        if self.agent.recipe.kind.__name__ == "Perceptron":
            self.attempt(lambda: self.agent.learn(choice, truth="a"))
        else:
            self.attempt(lambda: self.agent.learn(choice, correct=bit))

    @rule(x=st.one_of(st.lists(ROWS, max_size=6), ANYTHING), bits=ANYTHING)
    def many_at_a_time(self, x, bits):
        found = self.attempt(lambda: self.agent.decide_many(x))
        self.many.append(found)
        self.attempt(lambda: self.agent.learn_many(found, bits))
        self.attempt(lambda: self.agent.predict_many(x))
        self.attempt(lambda: self.agent.probabilities_many(x))

    @rule(at=st.integers(0, 9), bit=st.booleans())
    def learn_many_well(self, at, bit):
        found = self.many[at % len(self.many)] if self.many else []
        self.attempt(lambda: self.agent.learn_many(found, [bit] * len(found or [])))

    @rule(x=st.one_of(ROWS, ANYTHING), k=ANYTHING)
    def look(self, x, k):
        self.attempt(lambda: self.agent.predict(x))
        self.attempt(lambda: self.agent.rank(x, k))
        probs = self.attempt(lambda: self.agent.probabilities(x))
        assert probs is None or abs(sum(probs.values()) - 1) < 1e-9

    @rule(x=st.one_of(ROWS, ANYTHING), label=ANYTHING)
    def offer_and_pick(self, x, label):
        offer = self.attempt(lambda: self.agent.offer(x))
        self.attempt(lambda: self.agent.pick(offer, label))

    @rule(label=st.one_of(st.sampled_from("abcdef"), ANYTHING))
    def change_labels(self, label):
        self.attempt(lambda: self.agent.retire(label))
        self.attempt(lambda: self.agent.restore(label))
        if len(self.agent.labels) < 8:
            self.attempt(lambda: self.agent.add_label(label))

    @rule(label=st.sampled_from("abcd"))
    def retire(self, label):
        self.attempt(lambda: self.agent.retire(label))

    @rule(
        rows=st.lists(ROWS, min_size=1, max_size=4), truths=st.lists(st.integers(-2, 9), min_size=1)
    )
    def play(self, rows, truths):
        made = noiseless_block(DenseRows(np.array(rows)), np.array(truths, np.int32))
        self.attempt(lambda: self.agent.play(made))

    @rule(content=st.one_of(st.binary(max_size=50), ANYTHING))
    def load(self, content):
        self.attempt(lambda: Agent.from_bytes(content))

    @rule()
    def restart(self):
        made = self.attempt(self.agent.to_bytes)
        if made is not None:
            self.agent = Agent.from_bytes(made)

    @invariant()
    def is_sound(self):
        if hasattr(self, "agent"):
            assert self.agent.active_labels
            assert len(self.agent._open) <= 5
            assert "Agent(" in repr(self.agent)
