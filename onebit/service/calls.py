"""Every call of the service: its path, its role, what it takes and what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from onebit.errors import BadInput
from onebit.service import types
from onebit.service.problems import Refused, problem
from onebit.service.service import Service
from onebit.service.types import Malformed, read_id

#: Bytes of a body, and of a body of lines.
BODY, LINES_BODY = 64 << 10, 8 << 20
#: Lines of a batch.
LINES = 2000
#: Characters of what is wrong with a body.
_WHY = 200


class Lines(NamedTuple):
    """An answer of JSON lines."""

    content: bytes


class Call(NamedTuple):
    """A call: `handle(service, request, **path)` makes the answer, a struct or lines."""

    method: str
    path: str
    role: str | None
    summary: str
    handle: Callable[..., Awaitable[Any]]
    takes: Any = None
    answers: Any = None
    lines: bool = False


async def _decide(service: Service, request: Any, agent: str) -> Any:
    return await service.agent(agent).decide(request)


async def _hear(service: Service, request: Any, agent: str) -> Any:
    return await service.agent(agent).hear(request)


async def _decide_lines(service: Service, request: bytes, agent: str) -> Lines:
    return await _each_line(request, read_decision, service.agent(agent).decide)


async def _hear_lines(service: Service, request: bytes, agent: str) -> Lines:
    return await _each_line(request, read_feedback, service.agent(agent).hear)


async def _each_line(
    body: bytes, decode: Callable[[bytes], Any], handle: Callable[[Any], Awaitable[Any]]
) -> Lines:
    """Handle the lines of a batch together; each answer says its own status."""
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) > LINES:
        raise Refused(413, f"onebit serve: a batch must have at most {LINES} lines.")

    async def one(line: bytes) -> bytes:
        try:
            answer = await handle(decoded(decode, line))
        except BadInput as error:
            return problem(error)[1]
        return b'{"status":200,' + msgspec.json.encode(_renamed(answer))[1:]

    return Lines(b"".join([line + b"\n" for line in await asyncio.gather(*map(one, lines))]))


class _Outcome(msgspec.Struct, omit_defaults=True):
    """A feedback's answer in a batch, where `status` is that of HTTP."""

    result: str
    complaint: str | None = None


def _renamed(answer: Any) -> Any:
    if isinstance(answer, types.Feedback):
        return _Outcome(answer.status, answer.complaint)
    return answer


async def _predict(service: Service, request: Any, agent: str) -> types.Prediction:
    return service.agent(agent).predict(request.x)


async def _create(service: Service, request: Any, agent: str) -> types.AgentState:
    return (await service.create(agent, request)).state()


async def _change(service: Service, request: Any, agent: str) -> types.AgentState:
    hosted = service.agent(agent)
    await hosted.change(request, service.check_growth)
    return hosted.state()


async def _agents(service: Service, request: None) -> types.Agents:
    service.check_ready()
    return types.Agents([hosted.state() for hosted in service.agents.values()])


async def _agent(service: Service, request: None, agent: str) -> types.AgentState:
    return service.agent(agent).state()


async def _story(service: Service, request: None, agent: str, id: str) -> types.Story:
    return service.agent(agent).story(read_id(id))


async def _health(service: Service, request: None) -> types.Health:
    return types.Health("alive")


async def _ready(service: Service, request: None) -> types.Health:
    service.check_ready()
    if service.sequencer.read_only:
        raise Refused(503, "onebit serve: the disk is full; decisions and feedback are refused.")
    return types.Health("ready")


_AGENT = "/v1/agents/{agent}"
_DECISION = Call("POST", f"{_AGENT}/decisions", "decide", "Which label for this row?", _decide,
                 types.DecisionRequest, types.Decision)  # fmt: skip
_FEEDBACK = Call("POST", f"{_AGENT}/feedback", "feedback", "Was the label right?", _hear,
                 types.FeedbackRequest, types.Feedback)  # fmt: skip
#: The calls that are routed without the router, by what follows the agent's name.
HOT = {"decisions": _DECISION, "feedback": _FEEDBACK}
CALLS = [
    Call("PUT", _AGENT, "admin", "Create an agent.", _create, types.AgentRequest, types.AgentState),
    _DECISION,
    _FEEDBACK,
    Call("POST", f"{_AGENT}/decisions/batch", "decide", "Many decisions, as JSON lines.",
         _decide_lines, types.DecisionRequest, types.Decision, lines=True),
    Call("POST", f"{_AGENT}/feedback/batch", "feedback", "Many bits, as JSON lines.",
         _hear_lines, types.FeedbackRequest, types.Feedback, lines=True),
    Call("POST", f"{_AGENT}/predict", "read", "The best label and its probabilities; not logged.",
         _predict, types.PredictionRequest, types.Prediction),
    Call("PATCH", _AGENT, "admin", "Change labels, pause, resume, or change the window.",
         _change, types.AgentChange, types.AgentState),
    Call("GET", "/v1/agents", "read", "All agents.", _agents, None, types.Agents),
    Call("GET", _AGENT, "read", "One agent.", _agent, None, types.AgentState),
    Call("GET", f"{_AGENT}/decisions/{{id}}", "read", "One decision and what became of it.",
         _story, None, types.Story),
    Call("GET", "/health", None, "Whether the service runs.", _health, None, types.Health),
    Call("GET", "/ready", None, "Whether decisions and feedback are taken.", _ready, None,
         types.Health),
]  # fmt: skip

read_decision = msgspec.json.Decoder(types.DecisionRequest).decode
read_feedback = msgspec.json.Decoder(types.FeedbackRequest).decode
DECODERS = {
    call: msgspec.json.Decoder(call.takes).decode for call in CALLS if call.takes and not call.lines
}


def decoded(decode: Callable[[bytes], Any], body: bytes) -> Any:
    """Return a body of JSON, checked.

    Raises
    ------
    Malformed
        If it is not what the call takes.
    """
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = str(error)  # has names of fields as they were sent
        why = why if len(why) <= _WHY else f"{why[:_WHY]}..."
        raise Malformed(f"onebit serve: the body cannot be used: {why}.") from None
