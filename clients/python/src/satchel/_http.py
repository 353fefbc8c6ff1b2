"""Sends all requests and reads refusals. Every request has a connection of its own, so threads share nothing."""

import http.client
import json
import socket
import threading
import time
import urllib.parse
import uuid

from .errors import ApiError, ConnectionLost, refusal

MOST_FAILURES = 10
FIRST_WAIT = 0.25
LONGEST_WAIT = 5.0

# What a connection raises when it breaks. HTTPException includes answers that end too early.
BROKEN = (OSError, http.client.HTTPException)


class Backoff:
    """Whether and after how long a request is sent again: as long as the server has answered once."""

    def __init__(self, first_wait=FIRST_WAIT):
        self._first_wait = first_wait
        self._failures = 0
        self._known = False

    def succeeded(self):
        self._failures = 0
        self._known = True

    def failed(self, failure):
        """Waits before the next try, or raises the failure."""
        self._failures += 1
        if self._failures > MOST_FAILURES or not self._is_worth_another(failure):
            raise failure
        self._known = True
        time.sleep(min(LONGEST_WAIT, self._first_wait * 2 ** (self._failures - 1)))

    def _is_worth_another(self, failure):
        if isinstance(failure, ApiError):
            return failure.in_doubt or (self._known and failure.temporary)
        if isinstance(failure.__cause__, (ConnectionRefusedError, socket.gaierror)):
            return self._known
        if isinstance(failure.__cause__, (TimeoutError, socket.timeout)):
            return self._known
        return True


class Answer:
    """A response whose body is still to be read; `close` from another thread ends a reader that waits."""

    def __init__(self, connection, response):
        self._connection = connection
        self._socket = connection.sock
        self._response = response
        self._lock = threading.Lock()
        self.status = response.status
        self.headers = response.headers

    def read(self, size=-1):
        try:
            return self._response.read() if size < 0 else self._response.read(size)
        except BROKEN + (ValueError,) as e:  # ValueError: closed meanwhile
            raise ConnectionLost(str(e) or type(e).__name__) from e

    def line(self):
        try:
            return self._response.readline()
        except BROKEN + (ValueError,) as e:
            raise ConnectionLost(str(e) or type(e).__name__) from e

    def json(self):
        body = self.read()
        try:
            return json.loads(body) if body else {}
        except ValueError as e:
            raise ConnectionLost("what answers here is not Satchel") from e

    def close(self):
        with self._lock:
            if self._socket is not None:
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # the server was faster
                self._socket = None
        self._connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Http:
    def __init__(self, url, key, timeout):
        parts = urllib.parse.urlsplit(url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("not the address of a server: " + url)
        self._parts = parts
        self._key = key
        self._timeout = timeout

    def send(self, method, path, headers=None, body=None, patient=False):
        """An answer below 400, which the caller closes; `patient` for one that may take hours."""
        all_headers = {"Authorization": "Bearer " + self._key} if self._key else {}
        all_headers.update(headers or {})
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._parts.hostname, self._parts.port, timeout=None if patient else self._timeout)
        try:
            answer = self._exchange(connection, method, self._parts.path + path, all_headers, body)
        except BROKEN as e:
            connection.close()
            raise ConnectionLost(str(e) or type(e).__name__) from e
        except BaseException:
            connection.close()
            raise
        if answer.status >= 400:
            with answer:
                raise _problem(answer)
        return answer

    @staticmethod
    def _exchange(connection, method, path, headers, body):
        try:
            connection.request(method, path, body=body, headers=headers)
        except (BrokenPipeError, ConnectionResetError):
            if body is None:
                raise
            # the server may have refused before it had the whole body: then its answer is here
        return Answer(connection, connection.getresponse())

    def get(self, path):
        return repeat(lambda: self._json("GET", path, {}, None))

    def write(self, method, path, value=None, patient=False):
        """A write with a key of its own: however often it is sent, it is done once."""
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
        body = None if value is None else json.dumps(value).encode()
        return repeat(lambda: self._json(method, path, headers, body, patient))

    def _json(self, method, path, headers, body, patient=False):
        with self.send(method, path, headers, body, patient) as answer:
            return answer.json()

    def relative(self, location):
        """The path of an address that the server gave, without the part before the API."""
        path = urllib.parse.urlsplit(location).path
        return path[len(self._parts.path):] if path.startswith(self._parts.path) else path


def repeat(attempt):
    """The first outcome that is not a lost connection."""
    backoff = Backoff()
    while True:
        try:
            return attempt()
        except (ConnectionLost, ApiError) as e:
            backoff.failed(e)


def quoted(text):
    """As one segment of a path, or a value in a query."""
    return urllib.parse.quote(str(text), safe="")


def _problem(answer):
    code, message = answer.headers.get("Satchel-Error", ""), ""
    try:
        problem = json.loads(answer.read())
        code = problem.get("code", code)
        message = problem.get("detail") or problem.get("error") or ""
    except (ValueError, AttributeError, ConnectionLost):
        pass  # the page of a proxy, perhaps, or HEAD
    message = message or "the server answered with status %d" % answer.status
    return refusal(answer.status, code, message, answer.headers.get("X-Request-Id", ""))
