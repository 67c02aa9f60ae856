"""Every call, its answers and its refusals, over real sockets."""

import json
import socket
import time
import uuid

import httpx
import pytest
from running import Server

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("the server of calls")

SHOP = {"learner": "banditron:gamma=0.2", "labels": ["a", "b", "c"], "seed": 1}
ROW = {"hour": 8, "day": "Monday", "bias": 1.0}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with (
        Server(tmp_path_factory.mktemp("served")) as started,
        socket.create_connection(("127.0.0.1", started.port), timeout=60) as slow,
    ):
        slow.sendall(b"POST /v1/agents/shop/decisions HTTP/1.1\r\nHost: localhost\r\n")
        started.slow = slow  # a request that is never sent whole
        yield started


@pytest.fixture(scope="module")
def web(server):
    with httpx.Client(base_url=server.url, timeout=300) as client:
        client.put("/v1/agents/shop", json=SHOP).raise_for_status()
        yield client


def decide(web, agent="shop", **more):
    return web.post(f"/v1/agents/{agent}/decisions", json={"x": ROW, **more})


def hear(web, id, correct=True, agent="shop"):
    return web.post(f"/v1/agents/{agent}/feedback", json={"id": id, "correct": correct})


def refused(answer, status, sentence):
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert sentence in problem["detail"]
    assert "\n" not in problem["detail"]
    return problem["code"]


def test_a_decision_and_its_bit(web):
    made = decide(web).json()
    assert set(made) == {"id", "label", "greedy", "prob", "marginal", "round"}
    assert made["label"] in SHOP["labels"]
    assert hear(web, made["id"]).json() == {"status": "learned"}
    story = web.get(f"/v1/agents/shop/decisions/{made['id']}").json()
    assert (story["x"], story["status"], story["correct"]) == (ROW, "learned", True)


def test_the_same_id_and_row_again_is_the_same_decision(web):
    id = str(uuid.uuid4())
    first, again = decide(web, id=id).json(), decide(web, id=id).json()
    assert again.pop("replayed") is True
    assert first == again
    assert first["id"] == id.replace("-", "")
    spaced = json.dumps({"id": id, "x": ROW}, indent=3)
    same = web.post("/v1/agents/shop/decisions", content=spaced,
                    headers={"Content-Type": "application/json"})  # fmt: skip
    assert same.json()["replayed"] is True
    hear(web, id)
    assert decide(web, id=id).json()["replayed"] is True


def test_the_same_id_with_another_row_or_other_labels_is_a_conflict(web):
    id = uuid.uuid4().hex
    decide(web, id=id, among=["a", "b"])
    other = web.post("/v1/agents/shop/decisions", json={"x": {"hour": 9}, "id": id})
    assert refused(other, 409, "was made for another row or other labels") == "conflict"
    refused(decide(web, id=id), 409, "was made for another row")
    refused(decide(web, id=id, among=["a"]), 409, "was made for another row")
    assert decide(web, id=id, among=["b", "a"]).json()["replayed"] is True


def test_a_decision_among_all_labels_again_after_one_was_added(web):
    web.put("/v1/agents/grows", json=SHOP)
    id = uuid.uuid4().hex
    decide(web, "grows", id=id, among=["a", "b", "c"])
    web.patch("/v1/agents/grows", json={"add": ["d"]})
    assert decide(web, "grows", id=id, among=["c", "a", "b"]).json()["replayed"] is True
    for other in (["a", "b"], ["a", "b", "c", "d"]):
        refused(decide(web, "grows", id=id, among=other), 409, "other labels")


def test_bits_again_and_other_bits(web):
    id = decide(web).json()["id"]
    assert hear(web, id, False).json() == {"status": "learned"}
    assert hear(web, id, False).json() == {"status": "duplicate"}
    assert refused(hear(web, id, True), 409, "was wrong before, and stays so") == "conflict"
    assert refused(hear(web, uuid.uuid4().hex), 404, "has no decision") == "unknown_choice"


def test_decisions_among_some_labels(web):
    found = {decide(web, among=["a", "c"]).json()["label"] for _ in range(30)}
    assert found <= {"a", "c"}
    assert refused(decide(web, among=["x"]), 422, "a label must be one of") == "bad_label"
    refused(decide(web, among=[]), 422, "at least one label")


def test_creating_again(web):
    before = web.get("/v1/agents/shop").json()
    assert web.put("/v1/agents/shop", json=SHOP).status_code == 200
    other = web.put("/v1/agents/shop", json={**SHOP, "learner": "banditron"})
    assert refused(other, 409, "is there already") == "conflict"
    assert web.get("/v1/agents/shop").json() == before


def test_creating_many_times_at_once(server, web):
    """A client that got no answer sends it again while the first is still being made."""
    from concurrent.futures import ThreadPoolExecutor

    def create(_):
        return httpx.put(f"{server.url}/v1/agents/often", json=SHOP, timeout=300).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(create, range(8))) == {200}
    assert web.get("/health").status_code == 200


def test_labels_come_and_go_and_the_recipe_as_it_is_now_is_fine(web):
    recipe = {**SHOP, "window": 100.0}
    web.put("/v1/agents/fair", json=recipe)
    changed = web.patch("/v1/agents/fair", json={"add": ["d"], "retire": ["a"], "window": 5}).json()
    assert changed["labels"] == ["a", "b", "c", "d"]
    assert changed["active_labels"] == ["b", "c", "d"]
    assert changed["window"] == 5
    assert {decide(web, "fair").json()["label"] for _ in range(40)} <= {"b", "c", "d"}
    assert web.put("/v1/agents/fair", json=recipe).status_code == 200
    now = {**recipe, "labels": ["a", "b", "c", "d"], "window": 5}
    assert web.put("/v1/agents/fair", json=now).status_code == 200
    wrong = web.patch("/v1/agents/fair", json={"add": ["e"], "retire": ["a"]})
    refused(wrong, 422, "is retired already")
    assert web.get("/v1/agents/fair").json()["labels"] == ["a", "b", "c", "d"]  # nothing half done
    web.patch("/v1/agents/fair", json={"restore": ["a"]})
    assert web.get("/v1/agents/fair").json()["active_labels"] == ["a", "b", "c", "d"]


def test_pause_and_resume(web):
    web.put("/v1/agents/nap", json=SHOP)
    ids = [decide(web, "nap").json()["id"] for _ in range(20)]
    web.patch("/v1/agents/nap", json={"paused": True})
    assert {hear(web, id, agent="nap").json()["status"] for id in ids} == {"logged"}
    assert hear(web, ids[0], agent="nap").json()["status"] == "duplicate"
    assert web.get("/v1/agents/nap").json()["learned"] == 0
    assert decide(web, "nap").status_code == 200
    assert web.patch("/v1/agents/nap", json={"paused": False}).json()["learned"] == 20


@pytest.mark.parametrize("then", ["ignore", "wrong"])
def test_windows_end(web, then):
    web.put(f"/v1/agents/{then}", json={**SHOP, "window": 0.5, "then": then})
    heard = decide(web, then).json()["id"]
    hear(web, heard, agent=then)
    ids = [decide(web, then).json()["id"] for _ in range(5)]
    time.sleep(0.6)
    assert refused(hear(web, ids[0], agent=then), 410, "the window of decision") == "gone"
    end = time.monotonic() + 20
    while web.get(f"/v1/agents/{then}").json()["expired"] < 5 and time.monotonic() < end:
        time.sleep(0.1)
    state = web.get(f"/v1/agents/{then}").json()
    assert (state["expired"], state["open"]) == (5, 0)
    assert state["learned"] == (6 if then == "wrong" else 1)
    refused(hear(web, ids[0], agent=then), 410, "has ended")
    assert hear(web, heard, agent=then).json() == {"status": "duplicate"}
    story = web.get(f"/v1/agents/{then}/decisions/{ids[0]}").json()
    assert story["status"] == {"ignore": "expired", "wrong": "wrong"}[then]


def test_predictions_change_nothing(web):
    before = web.get("/v1/agents/shop").json()
    found = web.post("/v1/agents/shop/predict", json={"x": ROW}).json()
    assert sorted(found["ranking"]) == ["a", "b", "c"]
    assert found["label"] == found["ranking"][0]
    assert sum(found["probabilities"]) == pytest.approx(1)
    assert web.get("/v1/agents/shop").json() == before


def lines(web, path, items):
    content = "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    answer = web.post(path, content=content, headers={"Content-Type": "application/x-ndjson"})
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


def test_batches_have_a_status_for_each_line_and_one_commit(web):
    def commits():
        text = web.get("/metrics").text.partition("\nonebit_commits_total ")[2]
        return float(text.split()[0])

    before = commits()
    items = [{"x": ROW} for _ in range(50)] + [{"x": 3}, "{", {"x": {"a": "b"}, "among": ["zz"]}]
    made = lines(web, "/v1/agents/shop/decisions/batch", items)
    assert [each["status"] for each in made] == [200] * 50 + [400, 400, 422]
    assert commits() - before <= 2
    bits = [{"id": each["id"], "correct": True} for each in made[:50]]
    heard = lines(web, "/v1/agents/shop/feedback/batch", [*bits, bits[0], {"id": "x"}])
    assert [each["status"] for each in heard] == [200] * 51 + [400]
    assert [each.get("result") for each in heard[:51]] == ["learned"] * 50 + ["duplicate"]
    many = lines(web, "/v1/agents/shop/decisions/batch", [{"x": ROW}] * 2000)
    assert {each["status"] for each in many} == {200}
    assert lines(web, "/v1/agents/shop/decisions/batch", []) == []
    too_many = web.post("/v1/agents/shop/decisions/batch", content="{}\n" * 2001,
                        headers={"Content-Type": "application/x-ndjson"})  # fmt: skip
    refused(too_many, 413, "at most 2000 lines")


def test_the_log_is_what_onebit_learn_reads(web, tmp_path):
    web.put("/v1/agents/logged", json=SHOP)
    for n in range(30):
        hear(web, decide(web, "logged").json()["id"], n % 3 == 0, "logged")
    text = web.get("/v1/agents/logged/events").text
    found = [json.loads(line) for line in text.splitlines()]
    assert len(found) == 30
    assert [each["correct"] for each in found] == [n % 3 == 0 for n in range(30)]
    some = web.get(f"/v1/agents/logged/events?after={found[9]['seq']}&limit=5").text.splitlines()
    assert [json.loads(line) for line in some] == found[10:15]
    every = web.get("/v1/agents/logged/events?all=1").text
    assert "secret" not in every
    assert [json.loads(line)["kind"] for line in every.splitlines()][:3] == [
        "created", "decision", "feedback",
    ]  # fmt: skip
    from onebit.experiment.run.replay import learn_from_log

    (tmp_path / "log.jsonl").write_text(text)
    assert learn_from_log(str(tmp_path / "log.jsonl"), "banditron")[1].used == 30


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sentence"),
    [
        ("POST", "/v1/agents/none/decisions", {"x": ROW}, 404, "there is no agent 'none'"),
        ("POST", "/v1/agents/shop/decisions", {"x": "word"}, 400, "x must be an object"),
        ("POST", "/v1/agents/shop/decisions", {"x": {"a": None}}, 400, "x must be an object"),
        ("POST", "/v1/agents/shop/decisions", {"x": {"a": {}}}, 400, "x must be an object"),
        ("POST", "/v1/agents/shop/decisions", {"x": [1, 2]}, 422, "must have 262144 features"),
        ("POST", "/v1/agents/shop/decisions", {"x": {"a": 1e300}}, 422, "must be finite numbers"),
        ("POST", "/v1/agents/shop/decisions", {}, 400, "missing required field `x`"),
        ("POST", "/v1/agents/shop/decisions", {"x": ROW, "y": 1}, 400, "unknown field `y`"),
        ("POST", "/v1/agents/shop/decisions", {"x": ROW, "id": "7"}, 400, "32 hexadecimal"),
        ("POST", "/v1/agents/shop/feedback", {"id": "7", "correct": True}, 400, "32 hexadecimal"),
        ("POST", "/v1/agents/shop/feedback", {"id": "0" * 32}, 400, "missing required field"),
        ("POST", "/v1/agents/shop/feedback", {"id": "0" * 32, "correct": 1}, 400, "`bool`"),
        ("GET", "/v1/agents/shop/decisions/zz", None, 400, "32 hexadecimal digits"),
        ("GET", "/v1/agents/shop/decisions/" + "0" * 32, None, 404, "has no decision"),
        ("GET", "/v1/agents/shop/events?after=x", None, 400, "the query must be whole numbers"),
        ("GET", "/nowhere", None, 404, "there is nothing at /nowhere"),
        ("DELETE", "/v1/agents/shop", None, 405, "takes GET, HEAD, PATCH, PUT, got DELETE"),
        ("OPTIONS", "/v1/agents/shop/decisions", None, 405, "takes POST, got OPTIONS"),
        ("POST", "/metrics", {}, 405, "takes GET, HEAD, got POST"),
        ("POST", "/v1/agents/shop/decisions", {"x": ROW, "id": "a" * 10_000}, 400, "32 hexadec"),
        ("POST", "/v1/agents/shop/decisions", {"x": {"a": 10**400}}, 400, "x must be an object"),
        ("POST", "/v1/agents/a%00b/decisions", {"x": ROW}, 404, "there is no agent"),
        ("POST", "/v1/agents/shop/feedback", {"id": 5, "correct": True}, 400, "Expected `str`"),
        ("PUT", "/v1/agents/-bad", SHOP, 422, "an agent's name must be"),
        ("PUT", "/v1/agents/new", {**SHOP, "labels": ["a"]}, 422, "at least 2"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "nope"}, 422, "no learner is called"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "perceptron"}, 422, "hears the true label"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "os.path.X"}, 422, "os.path.X"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "subprocess.Popen"}, 422, "subprocess"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "this.that"}, 422, "import its module first"),
        ("PUT", "/v1/agents/new", {**SHOP, "features": 2**30}, 422, "labels x features must be"),
        ("PUT", "/v1/agents/new", {**SHOP, "learner": "banditboost:n=1000"}, 422, "GB"),
        ("PUT", "/v1/agents/new", {**SHOP, "window": -1}, 400, "window"),
        ("PUT", "/v1/agents/new", {**SHOP, "then": "maybe"}, 400, "then"),
        ("PATCH", "/v1/agents/shop", {"add": ["a"]}, 422, "must be new"),
        ("PATCH", "/v1/agents/shop", {"add": list(range(1001))}, 400, "length <= 1000"),
        ("PATCH", "/v1/agents/shop", {"gamma": 2}, 400, "unknown field `gamma`"),
    ],
)  # fmt: skip
def test_wrong_requests_get_their_status_and_one_sentence(
    web, method, path, body, status, sentence
):
    content = None if body is None else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    refused(web.request(method, path, content=content, headers=headers), status, sentence)


def test_bodies_that_are_no_json(web):
    path, kind = "/v1/agents/shop/decisions", {"Content-Type": "application/json"}
    for content in (b"", b"{", b"\xff\xfe", b"[1]", b'{"x": {"a": 1e999}}', b"[" * 30_000,
                    b'{"x": {"a\xff": 1}}', b'{"x": {"a": "\\ud800"}}', b'{"x": {"a": NaN}}',
                    b'{"x": ' + b'{"a": ' * 9000 + b"}" * 9001):  # fmt: skip
        refused(web.post(path, content=content, headers=kind), 400, "onebit serve")
    refused(web.post(path, content=b"{}"), 415, "Content-Type: application/json")
    for other in ("text/plain", "application/jsonp", "multipart/form-data; boundary=x"):
        refused(web.post(path, content=b"{}", headers={"Content-Type": other}), 415, "Content-Type")
    typed = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert web.post(path, content=b'{"x": {}}', headers=typed).status_code == 200
    refused(web.post(path, content=b" " * 70_000, headers=kind), 413, "at most 65,536 bytes")
    long = web.post(path, json={"x": {}, "y\n" * 9000: 1})
    refused(long, 400, "unknown field")
    assert len(long.content) < 1000

    def chunks():
        for _ in range(100):
            yield b" " * 1000

    refused(web.post(path, content=chunks(), headers=kind), 413, "at most 65,536 bytes")


def test_another_host_name_is_refused(web):
    answer = web.get("/v1/agents", headers={"Host": "evil.example"})
    refused(answer, 421, "not served under this host name")


def test_long_headers_and_other_protocols_are_refused(server, web):
    assert b" 431 " in server.raw(b"GET / HTTP/1.1\r\nx: " + b"y" * 40_000)
    many = b"".join(b"x%d: y\r\n" % n for n in range(5000))
    assert b" 431 " in server.raw(b"GET / HTTP/1.1\r\n" + many + b"\r\n")
    assert b" 431 " in server.raw(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n")
    other = server.raw(b"\x16\x03\x01\x02\x00\x01\x00\n\n\n\n")
    assert b" 400 " in other
    assert b"retry-after" not in other
    assert web.get("/health").status_code == 200


def test_requests_in_a_row_chunks_and_the_head(server, web):
    head = b"POST /v1/agents/shop/decisions HTTP/1.1\r\nHost: localhost\r\n"
    head += b"Content-Type: application/json\r\n"
    body = b'{"x": {"a": 1}, "id": "%032x"}'
    ids = [uuid.uuid4().int for _ in range(4)]
    last = body % ids[3]
    length = b"Content-Length: %d\r\n\r\n" % len(last)
    many = b"".join(head + length + body % id for id in ids[:3])
    parts = b"".join(b"%x\r\n%c\r\n" % (1, byte) for byte in last) + b"0\r\n\r\n"
    chunked = head + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + parts
    found = server.raw(many + chunked)
    assert found.count(b"HTTP/1.1 200 OK") == 4
    at = [found.index(b"%032x" % id) for id in ids]
    assert at == sorted(at)  # answers come in the order of the requests
    both = head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert b" 400 " in server.raw(both)
    assert b" 400 " in server.raw("GET /é HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    empty = web.head("/v1/agents/shop")
    assert (empty.status_code, empty.content) == (200, b"")
    refusal = web.options("/v1/agents/shop")
    assert refusal.headers["allow"] == "GET, HEAD, PATCH, PUT"


def test_the_document_describes_every_call(web):
    from onebit.service.calls import CALLS

    found = web.get("/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    for call in CALLS:
        operation = found["paths"][call.path][call.method.lower()]
        assert operation["summary"]
    text = json.dumps(found)
    for name in {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in found["components"]["schemas"]
    assert "x" in found["components"]["schemas"]["DecisionRequest"]["properties"]


def test_metrics_and_lists(web):
    text = web.get("/metrics").text
    assert 'onebit_agent_decisions{agent="shop"}' in text
    assert 'onebit_requests_total{path="/v1/agents/{agent}/decisions",status="200"}' in text
    assert "shop" in {each["name"] for each in web.get("/v1/agents").json()["agents"]}
    assert web.get("/health").json() == {"status": "alive"}


def test_a_served_agent_learns_with_the_bits_of_an_agent(web):
    """The state is the one that an Agent has after the same rounds."""
    from onebit.agent.logged import LoggedAgent

    web.put("/v1/agents/twin", json=SHOP)
    agent = LoggedAgent(SHOP["learner"], SHOP["labels"], features=2**18, seed=1)
    names = {name: k for k, name in enumerate(SHOP["labels"])}
    for n in range(60):
        row = {"n": n % 7, "k": str(n % 3)}
        made = web.post("/v1/agents/twin/decisions", json={"x": row}).json()
        correct = made["label"] == "abc"[n % 3]
        hear(web, made["id"], correct, "twin")
        decision = names[made["greedy"]], names[made["label"]], made["prob"], made["marginal"]
        agent.teach_row(agent.row_of(row), decision, correct)
    row = {"n": 3, "k": "1"}
    found = web.post("/v1/agents/twin/predict", json={"x": row}).json()
    assert dict(zip(found["ranking"], found["probabilities"], strict=True)) == (
        agent.probabilities(row)
    )
    assert found["ranking"] == agent.rank(row)


def test_slow_requests_are_ended(server, web):
    """Last of this file: its time has passed meanwhile."""
    assert b" 408 " in server.slow.recv(65536)
    assert web.get("/health").status_code == 200
