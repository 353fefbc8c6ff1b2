"""Talks to a Satchel server. Begin with Satchel; it needs the standard library alone."""

from ._client import Satchel
from ._events import Result, RunEvents
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionLost,
    Forbidden,
    Gone,
    NotFound,
    RunFailed,
    SatchelError,
    ServerFailure,
    TooLarge,
    TooManyRequests,
    Unauthorized,
)

__all__ = [
    "ApiError",
    "BadRequest",
    "Conflict",
    "ConnectionLost",
    "Forbidden",
    "Gone",
    "NotFound",
    "Result",
    "RunEvents",
    "RunFailed",
    "Satchel",
    "SatchelError",
    "ServerFailure",
    "TooLarge",
    "TooManyRequests",
    "Unauthorized",
    "allow",
    "deny",
]


def allow(ask_id, text=None, remember=None):
    """Allows a call, or answers a question with a text. `remember` ("run" or "chat") holds for later calls."""
    return _answer(ask_id, "allow", text, remember)


def deny(ask_id, reason=None, remember=None):
    """Refuses a call; the agent reads the reason."""
    return _answer(ask_id, "deny", reason, remember)


def _answer(ask_id, decision, text, remember):
    answer = {"askId": ask_id, "decision": decision, "text": text, "remember": remember}
    return {name: value for name, value in answer.items() if value is not None}
