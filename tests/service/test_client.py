"""The Python client: like an Agent, and harmless when answers are lost."""

import asyncio
import socket
import threading

import httpx
import numpy as np
import pytest
from running import Server

from onebit.client import AsyncClient, Client, Decided
from onebit.errors import (
    BadInput,
    BadLabel,
    BadParameter,
    BadRow,
    Conflict,
    Unavailable,
    UnknownAgent,
    UnknownChoice,
    WrongFeedback,
)

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("the server of clients")

TASTES = {"ann": "arts", "bo": "sports", "cy": "news"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("served")) as started:
        yield started


def play(agent, visits=300):
    """The loop of the README, for anything that has the methods of an Agent."""
    for visit in range(visits):
        user = ["ann", "bo", "cy"][visit % 3]
        choice = agent.decide({"user": user, "bias": 1})
        agent.learn(choice, correct=TASTES[user] == choice.label)
    return agent


def test_it_can_be_used_in_place_of_an_agent(server):
    with Client(server.url, agent="drop-in") as client:
        client.create("softmax", ["news", "sports", "arts"])
        play(client)
        row = {"user": "bo", "bias": 1}
        assert client.predict(row) == "sports"
        assert client.rank(row, 1) == ["sports"]
        assert max(client.probabilities(row).values()) > 0.9
        assert client.state()["learned"] == 300


def test_batches(server):
    with Client(server.url, agent="many") as client:
        client.create("banditron", [0, 1, 2], features=4)
        rows = np.eye(4)[np.arange(1500) % 4]
        made = client.decide_many(rows)
        assert [each.round for each in made] == list(range(1, 1501))
        assert client.learn_many(made, [each.label == 1 for each in made]) == ["learned"] * 1500
        assert client.learn_many(made[:2], [each.label == 1 for each in made[:2]]) == (
            ["duplicate"] * 2
        )
        with pytest.raises(BadRow, match="must have 4 features, got 3"):
            client.decide_many([[1, 2, 3]])


def test_labels_that_are_tuples(server):
    with Client(server.url, agent="tuples") as client:
        client.create("uniform", [("a", 1), None, 2.5, "x"])
        assert {client.decide({"a": 1}).label for _ in range(60)} == {("a", 1), None, 2.5, "x"}
        assert client.decide({"a": 1}, among=[("a", 1)]).label == ("a", 1)


def test_errors_have_their_classes(server):
    with Client(server.url, agent="nobody") as client:
        with pytest.raises(UnknownAgent, match="there is no agent 'nobody'"):
            client.decide({"a": 1})
        client.create("banditron", ["a", "b"])
        with pytest.raises(Conflict, match="is there already"):
            client.create("banditron", ["a", "c"])
        choice = client.decide({"a": 1})
        assert isinstance(choice, Decided)
        client.learn(choice, correct=True)
        with pytest.raises(Conflict):
            client.learn(choice, correct=False)
        with pytest.raises(UnknownChoice):
            client.learn("0" * 32, correct=True)
        with pytest.raises(WrongFeedback):
            client.learn(choice, correct="yes")
        with pytest.raises(BadRow, match="a feature's name must be a string"):
            client.decide({1: 2.0})
        with pytest.raises(BadLabel):
            client.change(add=["a"])
        with pytest.raises(ValueError, match="JSON"):
            client.decide({"a": float("nan")})
    with pytest.raises(BadParameter):
        Client("ftp://x")


class Lossy:
    """A relay that passes every request on and loses every other answer."""

    def __init__(self, port):
        self.server, self.target = socket.create_server(("127.0.0.1", 0)), port
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        self.count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            self.count += 1
            self._relay(near, lose=self.count % 2 == 1)

    def _relay(self, near, lose):
        with near, socket.create_connection(("127.0.0.1", self.target)) as far:
            request = b""
            while b"\r\n\r\n" not in request:
                request += near.recv(65536)
            head, _, body = request.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or 0)
            while len(body) < length:
                body += near.recv(65536)
            head = head.replace(b"keep-alive", b"close")
            far.sendall(head + b"\r\n\r\n" + body)
            answer = b""
            while part := far.recv(65536):
                answer += part
            if not lose:
                near.sendall(answer)


def test_lost_answers_are_harmless(server):
    with Client(server.url, agent="lossy") as direct:
        direct.create("banditron", ["a", "b"])
        relay = Lossy(server.port)
        with Client(relay.url, agent="lossy") as client:
            for n in range(20):
                assert client.learn(client.decide({"n": n}), correct=n % 2 == 0) == "duplicate"
        relay.server.close()
        assert relay.count >= 80  # each call was sent twice
        state = direct.state()
        assert (state["decisions"], state["right"], state["wrong"]) == (20, 10, 10)


def test_no_service_is_an_error_after_a_while():
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with (
        Client(f"http://127.0.0.1:{port}", patience=0.3) as client,
        pytest.raises(Unavailable, match="no answer"),
    ):
        client.decide({"a": 1})


def test_the_client_for_asyncio(server):
    async def main():
        async with AsyncClient(server.url, agent="async") as client:
            await client.create("banditron", ["a", "b"])

            async def one(n):
                choice = await client.decide({"n": n})
                return await client.learn(choice, correct=choice.label == "a")

            assert await asyncio.gather(*map(one, range(40))) == ["learned"] * 40
            made = await client.decide_many([{"n": 1}, {"n": 2}])
            assert await client.learn_many(made, [True, False]) == ["learned"] * 2
            assert await client.predict({"n": 1}) in ("a", "b")
            assert set(await client.probabilities({"n": 1})) == {"a", "b"}
            assert len(await client.rank({"n": 1})) == 2
            assert (await client.change(paused=True))["paused"]
            return await client.state()

    assert asyncio.run(main())["decisions"] == 42


def test_batches_are_cut_by_their_bytes(server):
    with Client(server.url, agent="long-rows") as client:
        client.create("banditron", ["a", "b"], features=2000)
        rows = np.random.default_rng(0).random((400, 2000))  # 16 MB as JSON
        made = client.decide_many(rows)
        assert [each.round for each in made] == list(range(1, 401))


def test_an_agent_with_an_odd_name_is_no_other_agent(server):
    with Client(server.url, agent="plain") as client:
        client.create("uniform", ["a", "b"])
    for name in ("plain?x", "plain#1", "plain/", "a b", "a/b", "..", "é", "%70lain"):
        with Client(server.url, agent=name, patience=1.0) as client:
            for call in (lambda c: c.create("uniform", ["a", "b"]), lambda c: c.state()):
                with pytest.raises(BadInput):
                    call(client)


@pytest.mark.parametrize(
    ("status", "content", "sentence"),
    [(200, "<html>", "must be that of onebit serve"), (200, "[1]", "must be that of onebit serve"),
     (403, '"no"', "the answer was 403"), (404, "<html>", "the answer was 404")],
)  # fmt: skip
def test_answers_of_something_else(status, content, sentence):
    with Client("http://127.0.0.1:1", patience=0.0) as client:
        handler = httpx.MockTransport(lambda request: httpx.Response(status, text=content))
        client._http = httpx.Client(base_url="http://127.0.0.1:1", transport=handler)
        with pytest.raises(BadInput, match=sentence):
            client.decide({"a": 1})


def test_calls_for_asyncio_that_are_cancelled():
    """The pool of httpx loses connections of requests that are cancelled: these are not."""
    ends = []

    async def answer(request):
        try:
            await asyncio.sleep(0.1 if len(ends) < 3 else 100.0)
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise
        ends.append("answered")
        return httpx.Response(200, json={"status": "learned"})

    async def main():
        client = AsyncClient("http://127.0.0.1:1")
        client._http = httpx.AsyncClient(
            base_url="http://127.0.0.1:1", transport=httpx.MockTransport(answer)
        )
        for _ in range(3):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.learn("0" * 32, correct=True), 0.01)
        while len(ends) < 3:
            await asyncio.sleep(0.01)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.learn("0" * 32, correct=True), 0.01)
        await client.close()
        assert ends == ["answered"] * 3 + ["cancelled"]
        assert not client._sending

    asyncio.run(main())
