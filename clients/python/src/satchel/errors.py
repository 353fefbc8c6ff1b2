"""What can go wrong, each as a type. All of them are SatchelError."""


class SatchelError(Exception):
    pass


class ConnectionLost(SatchelError):
    """The server could not be reached, or the connection broke and could not be made again."""


class RunFailed(SatchelError):
    """A run ended without an answer; `code` is one of docs/RUN-ERRORS.md, or the status of the run."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class ApiError(SatchelError):
    """The server refused a request: with a status, a code for programs and a text for people."""

    def __init__(self, status, code, message, request_id=""):
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id

    @property
    def in_doubt(self):
        """Whether it was done is unknown: the first request still runs, or a proxy timed out."""
        return self.code == "request_in_progress" or self.status in (502, 504)

    @property
    def temporary(self):
        return self.status >= 500 or self.status == 429


class BadRequest(ApiError):
    """400, 415 and 422: the request is wrong."""


class Unauthorized(ApiError):
    """401: no key, or one that is not valid."""


class Forbidden(ApiError):
    """403: the key has not the role or the scope."""


class NotFound(ApiError):
    """404: unknown, or of another person."""


class Conflict(ApiError):
    """409, also 412: such as another turn that runs."""


class Gone(ApiError):
    """410: it was there before."""


class TooLarge(ApiError):
    """413 and 507: above a limit, which the message names."""


class TooManyRequests(ApiError):
    """429: a limit of requests, which the message names."""


class ServerFailure(ApiError):
    """500 and above."""


_TYPES = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: Conflict,
    413: TooLarge,
    415: BadRequest,
    422: BadRequest,
    429: TooManyRequests,
    507: TooLarge,
}


def refusal(status, code, message, request_id):
    """The error of a status."""
    kind = _TYPES.get(status, ServerFailure if status >= 500 else ApiError)
    return kind(status, code, message, request_id)
