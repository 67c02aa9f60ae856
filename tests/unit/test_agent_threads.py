"""Threads, restarts and replicas: a click is learned once, and only for its own decision."""

import copy
import pickle
import threading
from collections import Counter

import numpy as np
import pytest
from pace import some

from onebit import Agent, BadInput, Choice
from onebit.errors import BadRow, UnknownChoice, UsedChoice
from onebit.theory.hypotheses.stumps import Stumps
from onebit.theory.hypotheses.thresholds import Thresholds

LABELS = ["a", "b", "c"]
WIDTH = 8


def new(**more):
    return Agent("banditron", labels=LABELS, features=WIDTH, seed=3, gamma=0.2, **more)


def in_threads(count, work):
    errors = []

    def guarded(n):
        try:
            work(n)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_many_threads_equal_some_serial_order():
    """Every decision of every thread is there once, and a serial replay gives the same state."""
    threads, each = 8, some(20_000, 300)
    agent = new(open=threads * each)
    # the order of calls is recorded inside of the lock, by wrapping what runs under it
    order, decide, teach = [], agent._decide, agent._teach

    def recorded_decide(core, row, among, draw):
        made = decide(core, row, among, draw)
        order.append(("decide", made[0].round, row))
        return made

    def recorded_teach(found, feedback):
        order.append(("learn", found.token, feedback.correct))
        teach(found, feedback)

    agent._decide, agent._teach = recorded_decide, recorded_teach
    made = [[] for _ in range(threads)]

    def work(n):
        for i in range(each):
            choice = agent.decide(np.eye(WIDTH)[(n + i) % WIDTH])
            made[n].append(choice)
            agent.learn(choice, correct=choice.label == LABELS[(n + i) % 3])

    in_threads(threads, work)
    choices = [choice for part in made for choice in part]
    assert len(choices) == threads * each == agent.round
    assert Counter(choice.round for choice in choices).most_common(1)[0][1] == 1
    assert sorted(choice.round for choice in choices) == list(range(1, agent.round + 1))
    assert len(agent._open) == 0

    serial, by_token = new(open=threads * each), {}
    tokens = {choice.round: choice.token for choice in choices}
    for verb, key, value in order:
        if verb == "decide":
            again = serial.decide(value.values)
            assert again.round == key
            by_token[tokens[key]] = again
        else:
            serial.learn(by_token[key], correct=value)
    played = {choice.round: choice[1:6] for choice in choices}
    assert all(played[again.round] == again[1:6] for again in by_token.values())
    assert agent._player.learner.weights.tobytes() == serial._player.learner.weights.tobytes()


def test_the_first_row_may_come_from_many_threads_at_once():
    agent = Agent("banditron", labels=LABELS, seed=1)
    start = threading.Barrier(8)

    def work(n):
        start.wait()
        for _ in range(20):
            agent.learn(agent.decide({"x": n}), correct=True)
            agent.probabilities({"x": n})

    in_threads(8, work)
    assert agent.round == 160


def test_hypotheses_advise_on_rows_of_many_threads_at_once():
    """Each reads its row from a space of its own for it."""
    agent = Agent("exp4", LABELS, hypotheses=Stumps(n=20), features=100)
    rows = [np.zeros(100), np.ones(100)]
    wanted = [agent._adviser.advice(x)[0].values for x in rows]
    wrong = []

    def work(n):
        for _ in range(some(2000, 20)):
            found = agent._adviser.advice(rows[n])[0].values
            wrong.extend([n] * int(not np.array_equal(found, wanted[n])))

    in_threads(2, work)
    assert wrong == []


def test_first_rows_of_two_threads_are_of_one_kind_and_width():
    """Each was read before the other one was decided."""
    agent = Agent("banditron", LABELS, features=100)
    rows = [{"name": 1.0}, np.ones(100)]
    read, ready = agent._read, threading.Barrier(2)

    def read_both(x):
        found = read(x)
        ready.wait()
        return found

    agent._read, refused = read_both, []

    def work(n):
        try:
            agent.decide(rows[n])
        except BadRow as error:
            refused.append(str(error))

    in_threads(2, work)
    assert len(refused) == agent.round == 1
    assert ", as those before it" in refused[0]

    agent = Agent("halving", ["a", "b"], hypotheses=Thresholds())
    _, core = agent._read([0.5, 0.5])
    agent.predict([0.5, 0.5, 0.5])  # as many hypotheses, of another width
    assert core.raw_width == 2
    agent.decide([0.5, 0.5, 0.5])
    with agent._lock, pytest.raises(BadRow, match="must have 3 features, got 2"):
        agent._current(core)


def test_every_other_call_may_come_between():
    agent = new(open=100)

    def work(n):
        for i in range(some(200, 20)):
            x = np.eye(WIDTH)[i % WIDTH]
            if n == 0:
                agent.save_count = len(agent.to_bytes())
            elif n == 1:
                agent.predict(x), agent.rank(x), agent.probabilities(x)
            elif n == 2:
                agent.learn_many(agent.decide_many([x, x]), [True, False])
            elif n == 3 and i == 50:
                agent.add_label("new")
            else:
                agent.learn(agent.decide(x), correct=i % 2 == 0)

    in_threads(6, work)
    Agent.from_bytes(agent.to_bytes())


def test_clicks_from_before_a_restart_from_an_older_snapshot_are_refused():
    agent = new()
    agent.learn(agent.decide(np.ones(WIDTH)), correct=True)
    old = agent.to_bytes()
    stale = [agent.decide(np.eye(WIDTH)[n % WIDTH]) for n in range(200)]
    again = Agent.from_bytes(old)
    fresh = [again.decide(np.eye(WIDTH)[(n + 3) % WIDTH]) for n in range(200)]
    assert [c.round for c in stale] == [c.round for c in fresh]
    before = again._player.learner.weights.copy()
    for choice in stale:
        with pytest.raises(UnknownChoice, match="another copy of this agent"):
            again.learn(choice, correct=True)
    assert (again._player.learner.weights == before).all()
    for choice in fresh:
        again.learn(choice, correct=False)


def test_choices_that_were_open_stay_good_and_replicas_do_not_mix():
    agent = new()
    waiting = agent.decide(np.ones(WIDTH))
    one, two = (Agent.from_bytes(agent.to_bytes()) for _ in range(2))
    for each in (one, two):
        each.learn(waiting, correct=True)
        with pytest.raises(UsedChoice):
            each.learn(waiting, correct=True)
    new_one, new_two = one.decide(np.ones(WIDTH)), two.decide(np.ones(WIDTH))
    assert new_one[:6] == new_two[:6]
    assert new_one.token != new_two.token
    with pytest.raises(UnknownChoice):
        one.learn(new_two, correct=True)
    one.learn(new_one, correct=True)


def test_a_forged_token_is_refused():
    agent = new()
    choice = agent.decide(np.ones(WIDTH))
    for token in ("", "0" * 16, choice.token[:-1], choice.token.upper() + "x", None, 5):
        with pytest.raises(UnknownChoice):
            agent.learn(choice._replace(token=token), correct=True)
    agent.learn(choice, correct=True)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_copies_go_on_with_the_same_bits_and_their_own_choices(copied):
    agent = new()
    for n in range(30):
        agent.learn(agent.decide(np.eye(WIDTH)[n % WIDTH]), correct=n % 3 == 0)
    waiting = agent.decide(np.ones(WIDTH))
    again = copied(agent)
    again.learn(waiting, correct=True)
    agent.learn(waiting, correct=True)
    assert again.decide(np.ones(WIDTH))[:6] == agent.decide(np.ones(WIDTH))[:6]


@pytest.mark.parametrize(
    "labels", [["a", "b"], [1, 2], [1.5, None], [("a", 1), ("b", (2, 3))], [True, "x"], ["", "é\n"]]
)
def test_a_choice_goes_to_json_and_back(labels):
    agent = Agent("banditron", labels=labels, features=2)
    for _ in range(4):
        choice = agent.decide([1.0, 2.0])
        again = Choice.from_json(choice.to_json())
        assert again == choice
        assert Choice.from_json(choice.to_json().encode()) == choice
        agent.learn(again, correct=True)


def test_labels_that_json_cannot_hold_are_one_sentence():
    agent = Agent("banditron", labels=[frozenset("a"), frozenset("b")], features=1)
    with pytest.raises(BadInput, match=r"^Choice.to_json: labels must be strings"):
        agent.decide([1.0]).to_json()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "5", "null", '{"agent": 1}', "[" * 10_000, b"\xff"]
)
def test_a_text_that_is_no_choice_is_one_sentence(text):
    with pytest.raises(UnknownChoice, match=r"^Choice.from_json: the text must be what to_json"):
        Choice.from_json(text)


def test_a_draw_number_apart_from_the_round():
    one, two = new(), new()
    x = np.ones(WIDTH)
    for _ in range(3):
        one.decide(x)
    assert one.decide(x, draw=77)[2:6] == two.decide(x, draw=77)[2:6]
    assert {two.decide(x, draw=n).label for n in range(50)} == set(LABELS)
    for wrong in (-1, 1.5, "x", 2**63):
        with pytest.raises(BadInput, match="draw must be a whole number"):
            one.decide(x, draw=wrong)
