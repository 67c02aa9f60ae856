"""A learner that does not fit into memory is refused before its arrays are made."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from onebit import Agent
from onebit.agent import fitting
from onebit.agent.recipe import Recipe
from onebit.errors import MachineFailed, TooLarge
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.trial import Trial
from onebit.kernel import memory
from onebit.kernel.sizes import Sizes


def test_what_would_fit_into_memory_is_told_and_fits(monkeypatch):
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 1e9)
    for name, labels, parts in (
        ("banditron", 4, ["features="]),
        ("softmax", 4, ["features="]),
        ("banditboost:n=10", 2, ["dtype=float32", "features="]),
        ("confidit", 3, ["features="]),
    ):
        recipe = Recipe.parse(name)
        widest = fitting._widest(recipe, Sizes(10**6, labels), 0, 1e9)
        with pytest.raises(TooLarge, match=r"must fit into memory, .* would fit\.$") as error:
            Agent(name, range(labels), features=widest + 9)
        assert all(part in str(error.value) for part in parts)
        assert error.value.code == "too_large"
        given = int(str(error.value).partition("features=")[2].split()[0])
        assert given == widest
        taken = fitting.player_size(recipe.new_player(Sizes(given, labels), 0))
        assert 0.99e9 < taken <= 1e9


@pytest.mark.parametrize(
    ("name", "features"), [("confidit:form=diagonal", 10**6), ("cova", 10**6), ("confidit", 1200)]
)
def test_nothing_is_made_that_does_not_fit(monkeypatch, name, features):
    room = 0.6 * fitting.player_size(Recipe.parse(name).new_player(Sizes(features, 4), 0))
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: room)
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match=r"got arrays of at least .* GB; .* would fit"):
            Agent(name, range(4), features=features)
        assert tracemalloc.get_traced_memory()[1] <= room + 1e6
    finally:
        tracemalloc.stop()


def test_growing_needs_room_for_the_old_numbers_and_the_new(monkeypatch):
    agent = Agent("banditron", range(2), features=1_000_000)  # 16 MB
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 40e6)
    agent.widen(1_400_000)
    sentence = (
        r"beside 0\.0 GB that they are copied from; features=1600000 from the start would fit"
    )
    with pytest.raises(TooLarge, match=sentence):
        agent.widen(1_600_000)
    assert agent.features == 1_400_000
    with pytest.raises(TooLarge, match=r"copied from; features=2\d{6} would fit"):
        agent.widen(9_000_000)


def test_a_label_that_does_not_fit_changes_nothing(monkeypatch):
    agent = Agent("banditron", ["a", "b"], features=1_000_000)  # 16 MB
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 20e6)
    for _ in range(2):  # before the first round, and after it
        with pytest.raises(TooLarge):
            agent.add_label("c")
        assert agent.labels == ("a", "b")
        agent.learn(agent.decide({7: 1.0}), correct=False)
    assert agent.round == 2


def test_a_sound_snapshot_that_does_not_fit_is_not_called_damaged(monkeypatch):
    content = Agent("banditron", ["a", "b"], features=1_000_000).to_bytes()
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 10e6)
    with pytest.raises(TooLarge, match=r"must fit into memory, .* features=\d+ would fit"):
        Agent.from_bytes(content)

    def fail(*args):
        raise MemoryError

    monkeypatch.undo()
    monkeypatch.setattr("onebit.agent.snapshot.np.frombuffer", fail)
    with pytest.raises(MachineFailed, match=r"^Agent.load: the snapshot needs more memory than"):
        Agent.from_bytes(content)


@pytest.mark.parametrize("workers", [1, 2])
def test_trials_wait_for_memory_that_others_take(monkeypatch, workers):
    trials = [
        Trial.parse("synsep", name, rounds=200, seed=seed)
        for name in ("banditron", "perceptron") for seed in (0, 1, 2)
    ]  # fmt: skip
    (size,) = {Agent(each.learner, range(9), features=400, seed=0).most_bytes for each in trials}
    most, hold = [], memory.hold

    def counted(run, bytes):
        hold(run, bytes)
        most.append(memory.held_in_bytes())

    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 1.5 * size)
    monkeypatch.setattr("onebit.experiment.run.playing.hold", counted)
    with ThreadPoolExecutor(workers) as pool:
        found = run_all(trials, pool, lambda progress: None)
    assert not found.failures
    assert [result.rounds for result in found.results] == [200] * 6
    assert (max(most), most[-1]) == (size, 0)


def test_a_trial_that_does_not_fit_alone_fails(monkeypatch):
    monkeypatch.setattr(fitting, "memory_in_bytes", lambda: 10_000)
    trials = [Trial.parse("synsep", "banditron", rounds=200, seed=seed) for seed in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        found = run_all(trials, pool, lambda progress: None)
    assert not found.results
    assert ["must fit into memory" in str(error) for _, error in found.failures] == [True] * 2
    assert memory.held_in_bytes() == 0
