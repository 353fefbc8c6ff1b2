"""The events of a run."""

import json
from dataclasses import dataclass, field

from ._http import Backoff, quoted
from .errors import ApiError, ConnectionLost, RunFailed


@dataclass
class Result:
    """How a run stands: its answer and files, or what it asks when `status` is "waiting"."""

    status: str
    message: str = ""
    files: list = field(default_factory=list)
    asks: list = field(default_factory=list)


class RunEvents:
    """
    The events of one run in order, each once, as the server sends them: dictionaries with a `type`. A lost
    connection is made again and goes on where it was cut. Iteration ends with the run, or when it waits for
    answers; after `answer` it goes on. For one thread; only `close` may be called by another.
    """

    def __init__(self, http, first=None, position=None, backoff=None):
        self._http = http
        self._first = first  # sends the message; later connections name a position
        self._backoff = backoff or Backoff()
        self._answer = None
        self._ended = False
        self._closed = False
        self._result = Result("running")
        self._answered = set()  # a continued run may repeat an ask
        self._failure = None
        self.position = position  # "<run id>:<number>", to go on in another process
        self.chat_id = None
        self.run_id = position.rpartition(":")[0] if position else None
        self._connect()  # so that a refusal is raised here

    def __iter__(self):
        return self

    def __next__(self):
        while not self._ended and not self._closed:
            try:
                self._connect()
                if self._ended:
                    break
                return self._take(*self._frame())
            except (ConnectionLost, ApiError) as e:
                self._recover(e)
        self.close_connection()
        raise StopIteration

    def result(self):
        """Reads to the end. Raises RunFailed if there is no answer; a run that asks has the status "waiting"."""
        for _ in self:
            pass
        if self._failure is not None:
            raise self._failure
        if self._result.status not in ("succeeded", "waiting"):
            raise RunFailed(self._result.status, "the run was " + self._result.status)
        return self._result

    def answer(self, *answers):
        """Answers asks, made by allow() and deny(). When nothing is open any more the run goes on, and so does this."""
        accepted = self._http.write("POST", "/api/runs/%s/answers" % quoted(self.run_id), {"answers": list(answers)})
        self._answered.update(answer["askId"] for answer in answers)
        self._result.asks = [ask for ask in self._result.asks if ask["id"] not in self._answered]
        if accepted["status"] == "running":
            self._ended = False
        return accepted

    def cancel(self):
        """Stops the run. False if it was over."""
        return self._http.write("POST", "/api/runs/%s/cancel" % quoted(self.run_id), {})["cancelled"]

    def close(self):
        """Ends the reading, not the run."""
        self._closed = True
        self.close_connection()

    def close_connection(self):
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _connect(self):
        while self._answer is None:
            try:
                answer = self._open()
                self._ended = answer.status == 204  # nothing comes after what we have
                self._answer = answer
            except (ConnectionLost, ApiError) as e:
                self._recover(e)

    def _open(self):
        if self.position is None:
            return self._first()
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.position}
        return self._http.send("GET", "/api/runs/%s/events" % quoted(self.run_id), headers)

    def _frame(self):
        """One event with its id; half an event at the end of a connection does not count."""
        number, data = "", []
        while True:
            line = self._answer.line()
            if not line.endswith(b"\n"):
                raise ConnectionLost("the connection ended before the run did")
            text = line.decode("utf-8").rstrip("\r\n")
            if not text and data:
                return number, "\n".join(data)
            name, _, value = text.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "id":
                number = value
            elif name == "data":
                data.append(value)

    def _take(self, number, data):
        event = json.loads(data)
        self._backoff.succeeded()
        self.position = number or self.position
        kind = event.get("type")
        if kind in ("chat", "run"):
            self.chat_id = event.get("chatId")
            self.run_id = event["runId"]
        elif kind == "ask" and event["id"] not in self._answered:
            others = [ask for ask in self._result.asks if ask["id"] != event["id"]]
            self._result.asks = others + [event]
        elif kind == "result":
            self._result.message = event.get("message", "")
            self._result.files = event.get("files") or []
        elif kind == "error":
            self._failure = RunFailed(event.get("code", ""), event.get("message", ""))
        elif kind == "end":
            self._result.status = event["status"]
            self._ended = True
            self.close_connection()
        return event

    def _recover(self, failure):
        self.close_connection()
        if not self._closed:
            self._backoff.failed(failure)
