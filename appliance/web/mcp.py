"""The tools over the Model Context Protocol: to one agent over stdin and stdout, to a network over HTTP.

The protocol is the official SDK's. Each HTTP request is answered by itself with JSON, in a process beside the
page; who may ask is checked as the page checks it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

from appliance import __version__
from appliance.core.errors import ApplianceError, BadSettings
from appliance.core.settings import ServeSettings
from appliance.tools import Tools, described
from appliance.web import guard
from appliance.web.connection_limits import origin_of

log = logging.getLogger(__name__)

BODY = 2 * 1024 * 1024  # bytes of the largest request: a text whose references are reviewed
INSTRUCTIONS = (
    "Questions about the construction codes of this box. Quote only what a result quotes, with its document, "
    "label and page. Search first, then read what must be read with the places found. What is not found here "
    "is not in the documents loaded."
)
UNEXPECTED = "Something went wrong in the box; nothing is lost. Other calls may still be made."


def server(tools: Tools) -> Server[Any]:
    """Return the server of the tools; calls are worked through one after the other."""
    worker = ThreadPoolExecutor(1)

    async def listed(_context: Any, _params: Any) -> ListToolsResult:
        known = (
            Tool(name=o["name"], description=o["about"], input_schema=o["parameters"]) for o in described()
        )
        return ListToolsResult(tools=list(known))

    async def called(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(worker, tools.call, params.name, params.arguments or {})
        except ApplianceError as error:
            return _told(str(error), failed=True)
        except Exception:
            log.exception("the tool %r failed", params.name)
            return _told(UNEXPECTED, failed=True)
        return _told(json.dumps(found, ensure_ascii=False), dict(found))

    return Server(
        "appliance", version=__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called
    )


def serve_stdio(tools: Tools) -> None:
    """Serve one agent over stdin and stdout until it goes."""

    async def serve() -> None:
        made = server(tools)
        async with stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())

    asyncio.run(serve())


def serve_http(tools: Tools, host: str, port: int) -> None:
    """Serve the network at /mcp until the process is ended; raises BadSettings."""
    app = server(tools).streamable_http_app(
        json_response=True, stateless_http=True, max_request_body_size=BODY, host=host
    )
    limits = tools.settings.serve
    guarded = Guard(app, guard.read_code(limits), limits)
    config = uvicorn.Config(guarded, log_level="warning", limit_concurrency=limits.threads * 8)
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError:
        why = "it is taken, or no address of this machine"
        raise BadSettings(f"Nothing can listen at {host}:{port}: {why}. Name another with --http.") from None
    uvicorn.Server(config).run(sockets=[listening])


class Guard:
    """Lets a request in that names the box, comes from no other page, and carries the access code."""

    def __init__(self, app: Any, code: str, limits: ServeSettings) -> None:
        self._app = app
        self._code = code.encode()
        self._names, self._pace = guard.names_of(limits), guard.asking_pace(limits)
        self._tries, self._all_tries = guard.Pace(guard.TRIES), guard.Pace(guard.ALL_TRIES)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer an ASGI event."""
        refused = self._refused(scope) if scope["type"] == "http" else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        status, message = refused
        body = json.dumps({"error": {"status": status, "message": message}}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
        headers += [(b"retry-after", f"{guard.BURST:.0f}".encode())] if status == 429 else []
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refused(self, scope: Any) -> tuple[int, str] | None:
        """Return status and sentence of a request that is not let in, None for one that is."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, page = headers.get(b"host", ""), headers.get(b"origin", "")
        if not guard.allowed_host(host, self._names):
            return 421, "The box does not answer to this name. Use its address as numbers."
        if page and not guard.same_origin(page, host):
            return 403, "Pages of other origins may not use the tools."
        sender = origin_of(scope["client"][0] if scope.get("client") else "")
        if not self._pace.allows(sender):
            return 429, "That was a lot at once. Wait a little, then go on."
        sent = headers.get(b"authorization", "").removeprefix("Bearer ").strip().encode()
        if self._code and not hmac.compare_digest(sent, self._code):
            slow = sent and not (self._tries.allows(sender) and self._all_tries.allows(""))
            return (
                (429, "Too many wrong codes.") if slow else (401, "Send the access code as a bearer token.")
            )
        return None


def _told(text: str, found: dict[str, Any] | None = None, *, failed: bool = False) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=found, is_error=failed
    )
