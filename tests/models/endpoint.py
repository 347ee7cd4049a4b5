"""A tiny OpenAI-compatible endpoint in this process: it plays a list of replies, in order."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One reply: a status, a body (JSON unless it is bytes), and how long it takes (s)."""

    body: Any = None
    status: int = 200
    after: float = 0.0


@dataclass
class Played:
    """What the endpoint will say (the last for ever), and what it was asked."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def says(self, *replies: Reply) -> None:
        self.replies[:] = replies

    def next(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def chat(claims: list[dict[str, Any]], **usage: int) -> Reply:
    """A chat completion that makes claims."""
    return said(json.dumps({"claims": claims}), usage=usage)


def said(
    content: str | None,
    *,
    ended: str = "stop",
    refusal: str | None = None,
    usage: dict[str, int] | None = None,
) -> Reply:
    """A chat completion with any content."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    body: dict[str, Any] = {"choices": [{"message": message, "finish_reason": ended}]}
    if usage:
        body["usage"] = usage
    return Reply(body)


def claim(text: str, *quotes: tuple[int, str]) -> dict[str, Any]:
    return {"text": text, "quotes": [{"passage": n, "quote": quote} for n, quote in quotes]}


@contextmanager
def played() -> Iterator[Played]:
    """Run the endpoint on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            told.asked.append((self.path, json.loads(self.rfile.read(length))))
            told.keys.append(self.headers.get("Authorization"))
            reply = told.next()
            time.sleep(reply.after)
            raw = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                pass  # the caller did not wait

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told = Played(f"http://127.0.0.1:{server.server_port}/v1")
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
