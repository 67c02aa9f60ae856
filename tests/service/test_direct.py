"""Requests that are answered without ASGI: the same answers, in order, and only for known heads."""

import asyncio
import contextlib
import hashlib
import json

import pytest
from in_process import ROW, request, serve

from onebit.service import protocol as protocols
from onebit.service.protocol import close_slow
from onebit.service.settings import Token
from onebit.store.base import StoreFull


def test_what_is_known_is_not_asked_of_the_application(tmp_path):
    async def test(serving):
        client = await serving.connect()
        made = []
        for _ in range(4):
            client.send(request(ROW))
            made.append(await client.answer())
        assert serving.paths == ["/v1/agents/shop/decisions"]
        for _, _, body in made:
            bit = json.dumps({"id": body["id"], "correct": True}).encode()
            client.send(request(bit, "feedback"))
            assert (await client.answer())[::2] == (200, {"status": "learned"})
        assert len(serving.paths) == 2
        assert {frozenset(headers.items()) for _, headers, _ in made[1:]} == {
            frozenset({"content-type": "application/json", "content-length": length}.items())
            for length in {headers["content-length"] for _, headers, _ in made[1:]}
        }
        assert [body["round"] for _, _, body in made] == [1, 2, 3, 4]
        assert {tuple(body) for _, _, body in made} == {tuple(made[0][2])}
        state = serving.service.agent("shop").state()
        assert (state.decisions, state.right, serving.app.active) == (4, 4, 0)
        page = serving.app.metrics.page()[1].decode()
        assert 'onebit_requests_total{path="/v1/agents/{agent}/decisions",status="200"} 4.0' in page
        assert 'onebit_requests_total{path="/v1/agents/{agent}/feedback",status="200"} 4.0' in page

    serve(tmp_path, test)


def test_errors_are_those_of_the_application(tmp_path):
    async def test(serving):
        for body, path, status in (
            (ROW[:-2] + b"]}", "decisions", 400),
            (b'{"x":{"a":1,"b":1e999}}', "decisions", 400),
            (b'{"x":{"a":1e60,"b":1e120}}', "decisions", 422),
            (b'{"id":"' + b"0" * 32 + b'","correct":true}', "feedback", 404),
        ):
            first = await serving.ask(request(body, path))
            known = await serving.ask(request(body, path))
            assert first == known
            assert first[0] == status
        assert len(serving.direct._heads) > 2
        id = "5" * 32
        asked = json.dumps({"x": {"a": 1}, "id": id}).encode()
        answers = [await serving.ask(request(asked)) for _ in range(3)]
        assert [body.get("replayed", False) for _, _, body in answers] == [False, True, True]
        bit = json.dumps({"id": id, "correct": True}).encode()
        heard = [(await serving.ask(request(bit, "feedback")))[2]["status"] for _ in range(3)]
        assert heard == ["learned", "duplicate", "duplicate"]

    serve(tmp_path, test)


def test_answers_come_in_the_order_of_the_requests(tmp_path):
    async def test(serving):
        await serving.ask(request(ROW))
        client = await serving.connect()
        client.send(request(ROW) * 5)  # in one piece
        assert [(await client.answer())[2]["round"] for _ in range(5)] == [2, 3, 4, 5, 6]
        sequencer = serving.service.sequencer
        start, sequencer._start = sequencer._start, lambda: None
        client.send(request(ROW))
        while not serving.app.active:
            await asyncio.sleep(0.01)
        client.send(request(ROW) + request(ROW)[:30])  # while the first one waits
        (connection,) = (each for each in serving.state.connections if each.taken)
        while not connection.part:
            await asyncio.sleep(0.01)
        assert sequencer.waiting == 1
        sequencer._start = start
        start()
        client.send(request(ROW)[30:])
        assert [(await client.answer())[2]["round"] for _ in range(3)] == [7, 8, 9]

    serve(tmp_path, test)


def test_the_end_of_a_request_may_come_as_soon_as_reading_resumes(tmp_path):
    """Before the loop looks again at what came while the request before it waited."""

    async def test(serving):
        await serving.ask(request(ROW))
        client, sequencer = await serving.connect(), serving.service.sequencer
        start, sequencer._start = sequencer._start, lambda: None
        client.send(request(ROW))
        while not serving.app.active:
            await asyncio.sleep(0.01)
        client.send(request(ROW)[:30])
        (connection,) = (each for each in serving.state.connections if each.taken)
        while not connection.part:
            await asyncio.sleep(0.01)
        flow, resume = connection.flow, connection.flow.resume_reading

        def resume_and_read():
            flow.resume_reading = resume
            resume()
            connection.data_received(request(ROW)[30:])

        flow.resume_reading = resume_and_read
        sequencer._start = start
        start()
        assert [(await client.answer())[2]["round"] for _ in range(2)] == [2, 3]
        client.send(request(ROW))
        assert (await client.answer())[2]["round"] == 4

    serve(tmp_path, test)


def test_chunks_that_come_in_one_piece_are_counted(tmp_path):
    async def test(serving):
        head = request(b"", more="Transfer-Encoding: chunked").replace(
            b"Content-Length: 0\r\n", b""
        )
        for spaces, status in ((60_000, 200), (66_000, 413), (100_000, 413)):
            body = ROW[:-1] + b" " * spaces + b"}"
            client = await serving.connect()
            client.send(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
            assert (await client.answer())[0] == status

    serve(tmp_path, test)


@pytest.mark.parametrize("cuts", [[-len(ROW)], [-5], [10, -len(ROW), -3], [-9, -6, -3]])
def test_requests_that_come_in_pieces(tmp_path, cuts):
    async def test(serving):
        await serving.ask(request(ROW))
        client, content = await serving.connect(), request(ROW)
        for number in range(3):
            at = 0
            for cut in [*cuts, len(content)]:
                end = cut if cut >= 0 else len(content) + cut
                client.send(content[at:end])
                await asyncio.sleep(0.02)
                at = end
            status, _, body = await client.answer()
            assert (status, body["round"]) == (200, number + 2)
        assert (len(serving.paths) == 1) == (len(cuts) == 1)

    serve(tmp_path, test)


def test_a_caller_that_sends_no_more_gets_its_answers(tmp_path):
    """Such as `nc -N`: its half of the connection is closed once the requests are sent."""

    async def test(serving):
        health = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for content, count in (
            (request(ROW), 1),  # of the application, then known
            (request(ROW), 1),
            (request(ROW) * 3, 3),
            (request(ROW) + health, 2),
            (health * 2, 2),
        ):
            client = await serving.connect()
            client.send(content)
            client.writer.write_eof()
            assert [(await client.answer())[0] for _ in range(count)] == [200] * count
            assert await client.reader.read() == b""
        client = await serving.connect()
        client.send(request(ROW)[:-3])  # not a whole request
        client.writer.write_eof()
        assert await client.reader.read() == b""
        assert serving.service.agent("shop").state().decisions == 6

    serve(tmp_path, test)


def test_a_connection_that_asks_for_another_protocol_ends_with_its_answer(tmp_path):
    """As `curl --http2` does: it would wait for ever for an answer to its next request."""

    async def test(serving):
        more = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A"
        for content, expected in (
            (request(b"", more=more, head="GET /health HTTP/1.1"), 200),
            (request(ROW, more=more), 400),  # what follows the head is of the other protocol
        ):
            client = await serving.connect()
            client.send(content)
            status, headers, _ = await client.answer()
            assert (status, headers["connection"]) == (expected, "close")
            assert await client.reader.read() == b""
        assert serving.service.agent("shop").state().decisions == 0

    serve(tmp_path, test)


def test_a_log_is_read_no_further_than_its_caller_wants(tmp_path, monkeypatch):
    from onebit.store.exporting import Exporter

    read = []

    def endless(self, after=0, through=None):
        while True:
            read.append(1)
            yield {"kind": "x" * 1000}

    monkeypatch.setattr(Exporter, "every_event", endless)

    async def test(serving):
        line = "GET /v1/agents/shop/events?all=1 HTTP/1.1"
        client = await serving.connect()
        client.send(request(b"", head="HEAD" + line[3:]))
        assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        assert not read
        client.send(request(b"", head=line))
        await client.reader.readexactly(1000)
        client.writer.transport.abort()
        while serving.app.active:
            await asyncio.sleep(0.01)
        stuck = await serving.connect()
        stuck.send(request(b"", head=line))  # it never reads
        (connection,) = serving.state.connections
        while connection.stuck is None:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(protocols, "IDLE", 0.0)
        closing = asyncio.create_task(close_slow(serving.state.connections))
        while serving.app.active:
            await asyncio.sleep(0.01)
        closing.cancel()

    serve(tmp_path, test)


def test_unusual_heads_are_left_to_the_application(tmp_path):
    async def test(serving):
        for content in (
            request(ROW, more="Connection: close"),
            request(ROW, head="POST {path} HTTP/1.0"),
            request(ROW, "decisions?a=1"),
            request(ROW, "%64ecisions"),
            request(ROW, more="Expect: 100-continue\r\nX: 1"),
            request(ROW, more="X: 1\r\nX: 2"),
            request(ROW, more="X: " + "y" * 2000),
            request(ROW, "predict"),
        ):
            for _ in range(2):
                with contextlib.suppress(KeyError):  # 100 Continue has no length
                    await serving.ask(content)
        assert not serving.direct._heads
        # the end of a body that looks like a head
        client, hidden = await serving.connect(), request(ROW)
        outer = request(b"0" * 10 + hidden)
        client.send(outer[: -len(hidden)])
        await asyncio.sleep(0.05)
        client.send(hidden)
        assert (await client.answer())[0] == 400
        assert not any(head == hidden[: -len(ROW)] for head in serving.direct._heads)

    serve(tmp_path, test)


def test_only_heads_with_a_valid_token_are_known(tmp_path):
    async def test(serving):
        for token, status in (("no", 401), ("no", 401), ("yes", 200), ("yes", 200), ("no", 401)):
            content = request(ROW, more=f"Authorization: Bearer {token}")
            assert (await serving.ask(content))[0] == status
        heard = request(b'{"id":"' + b"0" * 32 + b'","correct":true}', "feedback",
                        "Authorization: Bearer yes")  # fmt: skip
        assert [(await serving.ask(heard))[0] for _ in range(2)] == [403, 403]
        assert [b"Bearer yes" in head for head in serving.direct._heads] == [True]

    token = Token(hashlib.sha256(b"yes").hexdigest(), ["decide"])
    serve(tmp_path, test, tokens=[token])


def test_a_full_disk_and_too_many_requests(tmp_path):
    async def test(serving):
        await serving.ask(request(ROW))
        store = serving.service.store
        append = store.append

        def full(drafts, expect):
            raise StoreFull("full")

        store.append = full
        client = await serving.connect()
        client.send(request(ROW))
        status, headers, body = await client.answer()
        assert (status, headers["retry-after"], headers["content-type"]) == (
            503, "1", "application/problem+json",
        )  # fmt: skip
        assert "nothing of this was logged" in body["detail"]
        store.append = append
        while serving.service.sequencer.read_only:
            await asyncio.sleep(0.05)
        serving.app.most = 0
        assert (await serving.ask(request(ROW)))[0] == 503
        serving.app.most = 10
        client.send(request(ROW))
        assert (await client.answer())[0] == 200
        assert serving.app.active == 0

    serve(tmp_path, test)


def test_connections_end(tmp_path, monkeypatch):
    async def test(serving):
        await serving.ask(request(ROW))
        client = await serving.connect()
        client.send(request(ROW))
        await client.answer()
        slow = await serving.connect()
        slow.send(request(ROW)[:-3])  # the rest never comes
        monkeypatch.setattr(protocols, "IDLE", 0.0)
        monkeypatch.setattr(protocols, "SECONDS", 0.2)
        closing = asyncio.create_task(close_slow(serving.state.connections))
        assert await client.reader.read() == b""
        assert (await slow.answer())[0] == 408
        closing.cancel()
        client = await serving.connect()
        start, serving.service.sequencer._start = serving.service.sequencer._start, lambda: None
        client.send(request(ROW))
        while not serving.app.active:
            await asyncio.sleep(0.01)
        for each in list(serving.state.connections):
            each.shutdown()  # as at SIGTERM
        serving.service.sequencer._start = start
        start()
        status, headers, _ = await client.answer()
        assert (status, headers["connection"]) == (200, "close")
        assert await client.reader.read() == b""

    serve(tmp_path, test)
