"""The proxies of docs/operations.md, the real ones: people take part through them over TLS, and nothing is wrong."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from operations_page import snippets
from proxies import find_proxy
from small_study import write_small_study

from textassay.rehearsal.over_http import simulate
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

PEOPLE = 3
Proxy = Callable[[Path, Path, int, int], list[str]]
"""Writes its file into a folder, for a folder with the certificate, a port of its own and that of the server, and gives
the arguments with which it is started."""
HOST = "study.example.org"
"""Of the page; here it is localhost."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with cert.pem and key.pem of localhost."""
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return folder


def caddy(folder: Path, certificate: Path, port: int, behind: int) -> list[str]:
    (text,) = snippets("Caddyfile")
    assert text.startswith(f"{HOST} {{\n")
    own = f"localhost:{port} {{\n\ttls {certificate}/cert.pem {certificate}/key.pem\n"
    adapted = text.replace(f"{HOST} {{\n", own).replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{adapted}", "utf-8")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def nginx(folder: Path, certificate: Path, port: int, behind: int) -> list[str]:
    (text,) = snippets("nginx.conf")
    for written, here in {
        "127.0.0.1:8000": f"127.0.0.1:{behind}",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        f"/etc/letsencrypt/live/{HOST}/fullchain.pem": f"{certificate}/cert.pem",
        f"/etc/letsencrypt/live/{HOST}/privkey.pem": f"{certificate}/key.pem",
        f"server_name {HOST};": "server_name localhost;",
    }.items():
        assert written in text
        text = text.replace(written, here)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy"))
    whole = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\nhttp {{\n{temporary}{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return ["-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
        try:
            for _ in range(200):
                assert process.poll() is None, (folder / "log").read_text("utf-8")
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait(20)


@pytest.mark.parametrize("proxy", [caddy, nginx])
def test_people_take_part_through_it(
    proxy: Proxy, certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = proxy.__name__
    program = find_proxy(name)
    if program is None:
        pytest.skip(f"no {name} here; `python3 run.py test` installs it where it may")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    directory = write_small_study(tmp_path / "study", lambda data: data.update(proxy=["127.0.0.1"]))  # as on the page
    study, port = load_study(directory), free_port()
    plan = stored_plan(study)
    (tmp_path / "proxy").mkdir()
    with ServerThread(study, plan, public=f"https://localhost:{port}") as server:
        behind = int(server.links.listens.rpartition(":")[2])
        arguments = proxy(tmp_path / "proxy", certificate, port, behind)
        with running([program, *arguments], port, tmp_path / "proxy"):
            simulate(study, plan, server.store, server.links, count=PEOPLE)
            people = server.store.participants()
            assert [person.status for person in people] == ["completed"] * PEOPLE
            assert server.site.address.noticed == {}, "the server finds nothing wrong with the way requests come"
            with httpx.Client() as client:
                joined = client.post(server.links.join[""])
                assert "; Secure" in joined.headers["set-cookie"]
                assert "strict-transport-security" in joined.headers
                large = client.post(server.links.join[""], content=b"x" * 2_000_000)
                assert large.status_code == 413
