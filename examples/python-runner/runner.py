#!/usr/bin/env python3
"""A Satchel runner in Python, without anything but the standard library.

    python3 runner.py --port 8090          then  SANDBOX_URL=http://127.0.0.1:8090 ./satchel serve

It answers POST /stream: it redeems the one-time tokens of the dispatch, unpacks the files of the chat, calls `agent`
with them, and writes each step as a line of JSON. Replace `agent` by your own. docs/guides/write-a-runner.md explains
every call. It executes everything with the rights of its process: real tools belong in a sandbox.
"""
import argparse
import hmac
import io
import json
import os
import subprocess
import tempfile
import time
import urllib.request
import uuid
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def agent(task, workspace, run):
    """Counts the words of every file and writes a table of it. Raise an exception to fail the turn."""
    rows = []
    for file in sorted(path for path in workspace.iterdir() if path.is_file()):
        with run.step("count_words", {"file": file.name}) as result:
            result["words"] = len(file.read_text(encoding="utf-8").split())
            rows.append(f"{file.name},{result['words']}")
    (workspace / "counts.csv").write_text("file,words\n" + "\n".join(rows) + "\n", encoding="utf-8")
    run.write(type="log", level="info", message=f"{len(rows)} files counted")
    return f"You said: {task['prompt']}. I counted the words of {len(rows)} files."


class Run:
    """One dispatch, from its first callback to its last line."""

    def __init__(self, dispatch, out):
        self.dispatch, self.out = dispatch, out

    def write(self, **line):
        """Writes one line of the stream. It fails when the server has closed the connection: the turn was cancelled."""
        line["ts"] = int(time.time() * 1000)
        self.out.write(json.dumps(line).encode() + b"\n")
        self.out.flush()

    @contextmanager
    def step(self, name, args):
        """A step that the person sees while it runs: `running`, then `succeeded` or `failed`, under one id."""
        begun, step, result = time.monotonic(), {"type": "step", "id": uuid.uuid4().hex, "name": name}, {}
        self.write(**step, status="running", args=args)
        try:
            yield result
        except Exception as e:
            self.write(**step, status="failed", error=str(e), durationMs=round((time.monotonic() - begun) * 1000))
            raise
        self.write(**step, status="succeeded", result=result, durationMs=round((time.monotonic() - begun) * 1000))

    def call(self, path, token, body=None, content_type="application/json"):
        """Calls the server; each token is valid for one address, once."""
        headers = {"Authorization": token, "Content-Type": content_type}
        with urllib.request.urlopen(urllib.request.Request(self.dispatch["agent_url"] + path, body, headers)) as answer:
            return json.load(answer)

    def work(self, workspace):
        """Everything between the dispatch and the answer."""
        environment = self.call("/env", self.dispatch["otp_setup"])
        task = self.call("/config", self.dispatch["otp_run"])
        if task.get("assets"):  # absent when the chat has no files
            with urllib.request.urlopen(task["assets"]["url"]) as answer:
                zipfile.ZipFile(io.BytesIO(answer.read())).extractall(workspace)
        if environment["script"]:
            variables = {"PATH": os.environ["PATH"], **environment["variables"]}
            subprocess.run(["sh", "-c", environment["script"]], cwd=workspace, env=variables, check=True)
        before = {path: path.read_bytes() for path in workspace.iterdir() if path.is_file()}
        answer = agent(task, workspace, self)
        made = [path for path in workspace.iterdir() if path.is_file() and before.get(path) != path.read_bytes()]
        if made and self.dispatch.get("otp_upload"):
            self.return_files(made)
        return answer

    def return_files(self, files):
        """Sends the files to the chat, all in one form. Files that are not sent are lost."""
        boundary, body = uuid.uuid4().hex, b""
        for file in files:
            name = file.name.replace('"', "%22")
            body += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
            body += file.read_bytes() + b"\r\n"
        body += f"--{boundary}--\r\n".encode()
        self.call("/results", self.dispatch["otp_upload"], body, f"multipart/form-data; boundary={boundary}")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):  # the health check of the server
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        wanted = "Bearer " + os.environ.get("RUNNER_TOKEN", "")
        known = wanted == "Bearer " or hmac.compare_digest(self.headers.get("Authorization", ""), wanted)
        if self.path != "/stream" or not known:
            return self.send_error(401 if self.path == "/stream" else 404)
        dispatch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()  # HTTP/1.0: the end of the connection is the end of the stream
        run = Run(dispatch, self.wfile)
        try:
            with tempfile.TemporaryDirectory() as workspace:
                run.write(type="result", message=run.work(Path(workspace)))
        except (BrokenPipeError, ConnectionResetError):
            pass  # cancelled: the workspace is already deleted
        except Exception as e:
            run.write(type="error", code="agent_failed", message=str(e))

    def log_message(self, *_):  # a dispatch contains secrets
        pass


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=8090)
    server = ThreadingHTTPServer(("127.0.0.1", options.parse_args().port), Handler)
    print(f"runner listens on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
