"""An MCP server for tests, with nothing but the standard library: server.py stdio | http | sse.

Over HTTP it prints its port. Its tools behave well or badly, as their names say.
"""
import base64
import json
import os
import queue
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def tool(name, **properties):
    schema = {"type": "object", "properties": properties}
    return {"name": name, "description": "The tool " + name, "inputSchema": schema}


TEXT = {"type": "string"}
TOOLS = [
    tool("echo", text=TEXT),
    tool("where", path=TEXT),
    tool("progress"),
    tool("picture"),
    tool("resource"),
    tool("link"),
    tool("book", room=TEXT),
    tool("grow"),
    tool("fail"),
    tool("lie"),
    tool("hang"),
    tool("flood"),
    tool("die"),
    tool("token"),
]
state = {"cancelled": []}


def listed(kind, cursor):
    """The tools, or a list that no client should believe."""
    if kind == "many":
        return {"tools": TOOLS + [tool("t%d" % n) for n in range(10_000)]}
    if kind == "endless":
        page = int(cursor or "0")
        return {"tools": TOOLS[:1] if page == 0 else [tool("t%d" % page)], "nextCursor": str(page + 1)}
    if kind == "empty":
        return {"tools": [] if cursor else TOOLS[:1], "nextCursor": "again"}
    if kind == "invalid":
        def with_schema(name, schema):
            return {"name": name, "description": "d", "inputSchema": schema}
        return {"tools": TOOLS + [
            "not an object",
            {"description": "without a name", "inputSchema": {}},
            tool("two words"),
            tool("x" * 129),
            with_schema("text", "a text"),
            with_schema("type", {"type": "string"}),
            with_schema("list", {"type": "object", "properties": []}),
            with_schema("word", {"type": "object", "properties": {"a": {"type": "strnig"}}}),
            with_schema("large", {"type": "object", "description": "x" * 70_000}),
            with_schema("deep", deep(60)),
            {**tool("task"), "execution": {"taskSupport": "required"}},
            tool("echo"),
            {**tool("long"), "description": "y" * 100_000},
            {**tool("number"), "description": 7, "title": [], "annotations": "none", "icons": 3},
            tool("sh"),
            {"name": "plain"},
        ]}
    return {"tools": TOOLS}


def deep(levels):
    return {"type": "object", "properties": {"a": deep(levels - 1)} if levels else {}}


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + b"\xff\0\0" * 2 for _ in range(2))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def text(value, error=False):
    return {"content": [{"type": "text", "text": value}], "isError": error}


class Session:
    """Answers requests; send writes one message to the client, headers are those of the request."""

    def __init__(self, send):
        self.send = send
        self.answers = {}
        self.next_id = 1

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        request = "s%d" % self.next_id
        self.next_id += 1
        self.answers[request] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": request, "method": method, "params": params})
        return self.answers[request].get()

    def receive(self, message, headers=None):
        if "method" not in message:
            self.answers[message["id"]].put(message)
        elif "id" not in message:
            if message["method"] == "notifications/cancelled":
                state["cancelled"].append(message["params"]["requestId"])
                with open(os.environ.get("CANCELLED", os.devnull), "a") as file:
                    file.write("cancelled\n")
        else:
            result = self.result(message["method"], message.get("params") or {}, headers)
            if result is not None:
                self.send({"jsonrpc": "2.0", "id": message["id"], **result})

    def result(self, method, params, headers):
        if method == "initialize":
            return {"result": {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {"listChanged": True}, "resources": {}},
                "serverInfo": {"name": "test", "version": "1"}}}
        if method == "tools/list":
            return {"result": listed(os.environ.get("LIST"), params.get("cursor"))}
        if method == "resources/read":
            return {"result": {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": "linked text"}]}}
        if method == "tools/call":
            return self.call(params, headers)
        if method == "ping":
            return {"result": {}}
        return {"error": {"code": -32601, "message": "no method " + method}}

    def call(self, params, headers):
        name, arguments = params["name"], params.get("arguments") or {}
        token = (params.get("_meta") or {}).get("progressToken")
        if name in ("echo", "sh"):
            return {"result": text(name + ": " + arguments.get("text", ""))}
        if name == "where":
            path = arguments.get("path", ".")
            return {"result": text(json.dumps({"cwd": os.getcwd(), "here": sorted(os.listdir(path)),
                                               "env": dict(os.environ)}))}
        if name == "progress":
            for step in (1, 2, 3):
                self.notify("notifications/progress", progressToken=token, progress=step, total=3,
                            message="working on part %d" % step)
            return {"result": text("done")}
        if name == "picture":
            return {"result": {"content": [
                {"type": "image", "mimeType": "image/png", "data": base64.b64encode(png()).decode()}]}}
        if name == "resource":
            return {"result": {"content": [{"type": "resource", "resource": {
                "uri": "file:///reports/../q1.csv", "mimeType": "text/csv", "text": "a,b\n1,2\n"}}]}}
        if name == "link":
            return {"result": {"content": [{"type": "resource_link", "uri": "note://one/two", "name": "two"}]}}
        if name == "book":
            answer = self.ask("elicitation/create", {
                "message": "Which day for " + arguments.get("room", "") + "?",
                "requestedSchema": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}})
            return {"result": text(json.dumps(answer.get("result") or answer.get("error")))}
        if name == "grow":
            TOOLS.append(tool("grown", text=TEXT))
            self.notify("notifications/tools/list_changed")
            return {"result": text("there is a new tool")}
        if name == "grown":
            return {"result": text("grown: " + arguments.get("text", ""))}
        if name == "fail":
            return {"result": text("the printer is on fire", error=True)}
        if name == "lie":
            return {"result": {"content": "not a list", "isError": "perhaps"}}
        if name == "hang":
            self.notify("notifications/progress", progressToken=token, progress=1, message="hanging")
            return None
        if name == "flood":
            return {"result": text("x" * (64 << 20))}
        if name == "die":
            print("giving up", file=sys.stderr, flush=True)
            os._exit(3)
        if name == "token":
            wanted = arguments.get("header", "Authorization")
            return {"result": text("your token is " + str((headers or {}).get(wanted)))}
        return {"error": {"code": -32602, "message": "no tool " + name}}


def stdio():
    lock = threading.Lock()

    def send(message):
        with lock:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    session = Session(send)
    print("a line that is not a message", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "tools/call":
            threading.Thread(target=session.receive, args=(message,), daemon=True).start()
        else:
            session.receive(message)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    broken = int(os.environ.get("BREAK", "0"))  # requests whose connection is closed
    wanted = os.environ.get("TOKENS", "").split(",") if os.environ.get("TOKENS") else []
    sse = None

    def log_message(self, *_):
        pass

    def refuse(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if Handler.broken > 0:
            Handler.broken -= 1
            self.close_connection = True
            return None
        if os.environ.get("REDIRECT"):
            return self.refuse(307, Location=os.environ["REDIRECT"])
        if self.wanted:
            given = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            if given != self.wanted[0]:
                return self.refuse(401)
            if len(self.wanted) > 1:
                self.wanted.pop(0)  # the next request needs the next token
        message = json.loads(body)
        if self.path == "/messages":
            self.refuse(202)
            Handler.sse.receive(message, self.headers)
        elif self.path != "/mcp":
            self.refuse(405)
        elif "id" not in message or "method" not in message:
            self.refuse(202)
            if "method" in message:
                Session(None).receive(message)
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            Session(self.event).receive(message, self.headers)
            if message["method"] == "tools/call" and message["params"]["name"] == "hang":
                time.sleep(600)
            self.close_connection = True

    def event(self, message):
        self.wfile.write(("event: message\ndata: " + json.dumps(message) + "\n\n").encode())
        self.wfile.flush()

    def do_GET(self):
        if self.path != "/sse":
            return self.refuse(405)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        Handler.sse = Session(self.event)
        self.wfile.write(b"event: endpoint\ndata: /messages\n\n")
        self.wfile.flush()
        time.sleep(600)

    def do_DELETE(self):
        self.refuse(405)


def http():
    ThreadingHTTPServer.daemon_threads = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    stdio() if sys.argv[1] == "stdio" else http()
