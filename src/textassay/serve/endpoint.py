"""One line of the route table, and the OpenAPI 3.1 description made from the table."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from textassay.serve.site import Site


Handler = Callable[[Request, "Site"], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """A route: method, path, handler and description."""

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    """For the OpenAPI description."""
    replies: Mapping[int, type[BaseModel] | str]
    """Content by status: a model as JSON, or a media type."""
    body: type[BaseModel] | None = None
    """Model of the request body."""
    body_type: str = "application/json"
    """Media type of the request body."""
    framed: bool = False
    """Whether the recruiting platform may show it in a frame."""
    for_researcher: bool = False
    """Whether it needs the researcher's cookie."""

    @cached_property
    def pattern(self) -> str:
        """The path as OpenAPI writes it: `/p/{token}/{number}` for `/p/{token}/{number:int}`."""
        return re.sub(r"{(\w+):\w+}", r"{\1}", self.path)


_COMPONENTS = "#/components/schemas/{model}"
_COOKIE = "researcher"


def describe_api(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The description as plain JSON."""
    models = dict.fromkeys(_models(endpoints))
    _, definitions = models_json_schema([(model, "validation") for model in models], ref_template=_COMPONENTS)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.pattern, {})[endpoint.method.lower()] = _operation(endpoint)
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
