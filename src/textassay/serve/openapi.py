"""The OpenAPI 3.1 description of the server, made from the route table and its models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from textassay.serve.endpoint import Endpoint

_COMPONENTS = "#/components/schemas/{model}"
_COOKIE = "researcher"


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The description as plain JSON."""
    models = dict.fromkeys(_models(endpoints))
    _, definitions = models_json_schema([(model, "validation") for model in models], ref_template=_COMPONENTS)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(_template(endpoint.path), {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "textassay", "version": version("textassay"), "description": "A study that is being served."},
        "paths": paths,
        "components": {
            "schemas": definitions.get("$defs", {}),
            "securitySchemes": {_COOKIE: {"type": "apiKey", "in": "cookie", "name": "textassay-board"}},
        },
    }


def _models(endpoints: Iterable[Endpoint]) -> Iterable[type[BaseModel]]:
    for endpoint in endpoints:
        if endpoint.body is not None:
            yield endpoint.body
        yield from (reply for reply in endpoint.replies.values() if not isinstance(reply, str))


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "parameters": [_parameter(name, kind) for name, kind in re.findall(r"{(\w+)(?::(\w+))?}", endpoint.path)],
        "responses": {str(status): _reply(status, reply) for status, reply in endpoint.replies.items()},
    }
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": {endpoint.body_type: {"schema": _ref(endpoint.body)}}}
    if endpoint.for_researcher:
        operation["security"] = [{_COOKIE: []}]
    return operation


def _parameter(name: str, kind: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "schema": {"type": "integer" if kind == "int" else "string"},
    }


def _reply(status: int, reply: type[BaseModel] | str) -> dict[str, Any]:
    described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if isinstance(reply, str):
        return {**described, "content": {reply: {}}} if reply else described
    return {**described, "content": {"application/json": {"schema": _ref(reply)}}}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _COMPONENTS.format(model=model.__name__)}


def _template(path: str) -> str:
    """The path as OpenAPI writes it: `/p/{token}/{number}` for `/p/{token}/{number:int}`."""
    return re.sub(r"{(\w+):\w+}", r"{\1}", path)
