"""The client and its parts."""

import json
import uuid

from ._events import RunEvents
from ._files import Files
from ._http import Http, quoted


class Satchel:
    """
    A client of a Satchel server. Calls block; a refusal is an ApiError, a server that cannot be reached is
    ConnectionLost. Safe for many threads. `timeout` is the longest silence in seconds; the server sends
    something in every stream at least each 15 seconds.
    """

    def __init__(self, url, key, timeout=60.0):
        http = Http(url, key, timeout)
        self._http = http
        self.chats = Chats(http)
        self.files = Files(http)
        self.runs = Runs(http)
        self.agents = Agents(http)

    def asks(self, limit=50, cursor=None):
        """What waits for an answer, in all chats and in runs without a chat; a page with `asks` and `nextCursor`."""
        return self._http.get("/api/asks" + _page(limit, cursor))

    def models(self):
        return self._http.get("/api/models")["models"]


class Chats:
    """Conversations, and the turns that are taken in them."""

    def __init__(self, http):
        self._http = http

    def list(self, limit=50, cursor=None):
        return self._http.get("/api/assistant/chats" + _page(limit, cursor))

    def create(self, title=None):
        return self._http.write("POST", "/api/assistant/chats", {} if title is None else {"title": title})

    def read(self, chat, limit=50, cursor=None):
        """The chat with its newest messages, or with those before a cursor."""
        return self._http.get(_chat(chat) + _page(limit, cursor))

    def rename(self, chat, title):
        return self._http.write("PATCH", _chat(chat), {"title": title})

    def delete(self, chat):
        self._http.write("DELETE", _chat(chat))

    def send(self, message, chat=None, files=(), agent=None, model=None, when_busy=None, on_disconnect="continue"):
        """
        Sends a message, in a new chat if none is named; `files` are ids of the chat's files. Returns RunEvents, or
        with `when_busy` ("queue" or "steer") and a turn in progress a dictionary with the place in the queue.
        """
        turn = {
            "message": message,
            "chatId": chat,
            "attachmentIds": list(files),
            "agentId": agent,
            "model": model,
            "whenBusy": when_busy,
            "onDisconnect": on_disconnect,
        }
        body = json.dumps({name: value for name, value in turn.items() if value is not None}).encode()
        headers = {
            "Accept": "text/event-stream",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        queued = []

        def first():
            answer = self._http.send("POST", "/api/assistant/chat/stream", headers, body)
            if answer.status == 202:
                with answer:
                    queued.append(answer.json())
                return _Nothing()
            return answer

        events = RunEvents(self._http, first)
        return queued[0] if queued else events

    def follow(self, chat):
        """The run that is answering right now, from its beginning; None when there is none."""
        headers = {"Accept": "text/event-stream"}
        answer = self._http.send("GET", _chat(chat) + "/stream", headers)
        if answer.status == 204:
            answer.close()
            return None
        opened = [answer]
        return RunEvents(
            self._http,
            lambda: opened.pop() if opened else self._http.send("GET", _chat(chat) + "/stream", headers),
        )

    def cancel(self, chat):
        """Stops the turn in progress; False when there was none."""
        return self._http.write("POST", _chat(chat) + "/cancel", {})["cancelled"]


class Runs:
    """Executions, live or long over."""

    def __init__(self, http):
        self._http = http

    def read(self, run):
        return self._http.get("/api/runs/" + quoted(run))

    def events(self, run=None, after=None):
        """From the beginning, or after a RunEvents.position."""
        return RunEvents(self._http, position=after or "%s:0" % run)

    def answer(self, run, *answers):
        return self._http.write("POST", "/api/runs/%s/answers" % quoted(run), {"answers": list(answers)})

    def cancel(self, run):
        return self._http.write("POST", "/api/runs/%s/cancel" % quoted(run), {})["cancelled"]


class Agents:
    def __init__(self, http):
        self._http = http

    def list(self):
        return self._http.get("/api/agents")["agents"]

    def create(self, name, **fields):
        """The fields are those of the API: systemPrompt, tools, permissions and so on."""
        return self._http.write("POST", "/api/agents", dict(fields, name=name))

    def delete(self, agent):
        self._http.write("DELETE", "/api/agents/" + quoted(agent))

    def run(self, agent, prompt, **fields):
        """Runs an agent without a chat and waits for its end; a run that asks returns with the status "waiting"."""
        body = dict(fields, prompt=prompt, onDisconnect="continue")
        return self._http.write("POST", "/api/agents/%s/runs" % quoted(agent), body, patient=True)


class _Nothing:
    """Takes the place of a stream that does not come."""

    status = 204

    def close(self):
        pass


def _chat(chat):
    return "/api/assistant/chats/" + quoted(chat)


def _page(limit, cursor):
    return "?limit=%d" % limit + ("" if cursor is None else "&cursor=" + quoted(cursor))
