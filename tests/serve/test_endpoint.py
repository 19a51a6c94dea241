"""The description says what the server does."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from textassay.serve.app import ENDPOINTS
from textassay.serve.endpoint import describe_api


def test_every_endpoint_is_described() -> None:
    described = describe_api(ENDPOINTS)
    operations = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert operations == {(each.method, each.path.replace(":int}", "}")) for each in ENDPOINTS}
    answer = described["paths"]["/p/{token}/answers"]["post"]
    assert answer["requestBody"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/AnswerBody"}
    assert set(answer["responses"]) == {"200", "404", "409", "413", "415", "422", "503"}
    assert [each["name"] for each in answer["parameters"]] == ["token"]
    assert described["paths"]["/p/{token}/{number}"]["get"]["parameters"][1]["schema"] == {"type": "integer"}
    assert described["paths"]["/board"]["get"]["security"] == [{"researcher": []}]
    assert "security" not in described["paths"]["/health"]["get"]
    assert described["paths"]["/join/{key}"]["post"]["responses"] == {
        "200": {"description": "OK", "content": {"text/html": {}}},
        "404": {"description": "Not Found", "content": {"text/html": {}}},
        "303": {"description": "See Other"},
        "413": {"description": HTTPStatus(413).phrase, "content": {"text/html": {}}},
        "429": {"description": "Too Many Requests", "content": {"text/html": {}}},
    }


def test_every_reference_leads_somewhere() -> None:
    described = describe_api(ENDPOINTS)
    schemas = described["components"]["schemas"]
    assert schemas["AnswerBody"]["required"] == ["answer_id", "page", "payload", "answered_at"]

    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if "$ref" in node else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    found = references(described)
    assert found
    assert set(found) <= {f"#/components/schemas/{name}" for name in schemas}


def test_description_is_for_the_researcher(small: Any) -> None:
    assert small.researcher().get("/openapi.json").json() == describe_api(ENDPOINTS)


def test_a_platform_may_frame_all_pages_of_participants_and_no_others() -> None:
    pages = {(each.method, each.path) for each in ENDPOINTS if each.path.startswith(("/join", "/p/"))}
    data = {("POST", "/p/{token}/answers"), ("GET", "/p/{token}/media/{name}")}
    assert {(each.method, each.path) for each in ENDPOINTS if each.framed} == pages - data
