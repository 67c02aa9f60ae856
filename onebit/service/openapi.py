"""The OpenAPI document, made from the calls and their types."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from onebit import __version__
from onebit.service import types
from onebit.service.calls import CALLS, Call

_REF = "#/components/schemas/{name}"
_ERRORS = {
    "400": "The body, the path or the query is malformed.",
    "401": "A token is needed.",
    "403": "The token does not have the role.",
    "404": "There is no such agent or decision.",
    "408": "The request was not sent in time.",
    "409": "Something else was said under this name or id before.",
    "410": "The window has ended, or the decision was archived.",
    "413": "The body is too long.",
    "415": "The body is not application/json.",
    "421": "It is not served under this host name.",
    "422": "The request cannot be used.",
    "503": "Try again after Retry-After seconds, with the same id.",
}


def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    kinds = [kind for call in CALLS for kind in (call.takes, call.answers) if kind is not None]
    kinds = [*dict.fromkeys(kinds), types.Problem]
    _, components = msgspec.json.schema_components(kinds, schema_hook=_any, ref_template=_REF)
    row = msgspec.json.schema(types.Row)
    for name in ("DecisionRequest", "PredictionRequest", "Story"):
        components[name]["properties"]["x"] = row
    paths: dict[str, Any] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    paths["/v1/agents/{agent}/events"] = {"get": _events()}
    paths["/metrics"] = {"get": _page("Numbers for Prometheus.", "text/plain")}
    paths["/openapi.json"] = {"get": _page("This document.", "application/json")}
    return {
        "openapi": "3.1.0",
        "info": {"title": "onebit serve", "version": __version__,
                 "description": "Which label for this row? Later, one bit: right or wrong."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip


def _any(kind: type) -> dict[str, Any]:
    return {}


def _operation(call: Call) -> dict[str, Any]:
    kind = "application/x-ndjson" if call.lines else "application/json"
    found: dict[str, Any] = {
        "summary": call.summary,
        "operationId": f"{call.method.lower()}{re.sub('[^a-z]+', '_', call.path)}".strip("_"),
        "parameters": [_parameter(name) for name in re.findall(r"{(\w+)}", call.path)],
        "responses": {
            "200": {"description": "Done.", "content": {kind: {"schema": _schema(call.answers)}}},
            **_problems(call),
        },
    }
    if call.takes is not None:
        content = {kind: {"schema": _schema(call.takes)}}
        found["requestBody"] = {"required": True, "content": content}
    if call.role is not None:
        found["security"] = [{"token": []}, {}]
        found["description"] = f"Needs the role {call.role} where tokens are in use."
    return found


def _problems(call: Call | None = None) -> dict[str, Any]:
    problem = {"application/problem+json": {"schema": _schema(types.Problem)}}
    return {code: {"description": why, "content": problem} for code, why in _ERRORS.items()}


def _schema(kind: Any) -> dict[str, Any]:
    return {"$ref": _REF.format(name=kind.__name__)}


def _parameter(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}
    if name == "id":
        schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _events() -> dict[str, Any]:
    found = _page(
        "The rounds that were learned from, or with all=1 every event.", "application/x-ndjson"
    )
    numbers = [
        {"name": name, "in": "query", "schema": {"type": "integer", "minimum": 0}}
        for name in ("after", "limit", "all")
    ]
    return {**found, "parameters": [_parameter("agent"), *numbers]}


def _page(summary: str, kind: str) -> dict[str, Any]:
    answer = {"description": "Done.", "content": {kind: {}}}
    return {"summary": summary, "responses": {"200": answer, **_problems()}}
