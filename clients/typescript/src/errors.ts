/** What can go wrong, each as a type. All of them are a SatchelError. */
export class SatchelError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server could not be reached, or the connection broke and could not be made again. */
export class ConnectionLost extends SatchelError {}

/** A run ended without an answer; `code` is one of docs/RUN-ERRORS.md, or the status of the run. */
export class RunFailed extends SatchelError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The server refused a request: with a status, a code for programs and a text for people. */
export class ApiError extends SatchelError {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
  ) {
    super(message);
  }

  /** Whether it was done is unknown: the first request still runs, or a proxy timed out. */
  get inDoubt(): boolean {
    return this.code === "request_in_progress" || this.status === 502 || this.status === 504;
  }

  get temporary(): boolean {
    return this.status >= 500 || this.status === 429;
  }
}

/** 400, 415 and 422: the request is wrong. */
export class BadRequest extends ApiError {}
/** 401: no key, or one that is not valid. */
export class Unauthorized extends ApiError {}
/** 403: the key has not the role or the scope. */
export class Forbidden extends ApiError {}
/** 404: unknown, or of another person. */
export class NotFound extends ApiError {}
/** 409, also 412: such as another turn that runs. */
export class Conflict extends ApiError {}
/** 410: it was there before. */
export class Gone extends ApiError {}
/** 413 and 507: above a limit, which the message names. */
export class TooLarge extends ApiError {}
/** 429: a limit of requests, which the message names. */
export class TooManyRequests extends ApiError {}
/** 500 and above. */
export class ServerFailure extends ApiError {}

const TYPES: Record<number, typeof ApiError> = {
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
};

/** The error of a response of 400 and above. */
export async function refusal(response: Response): Promise<ApiError> {
  let code = response.headers.get("Satchel-Error") ?? "";
  let message = "";
  try {
    const problem = (await response.json()) as { code?: string; detail?: string; error?: string };
    code = problem.code ?? code;
    message = problem.detail ?? problem.error ?? "";
  } catch {
    // the page of a proxy, perhaps, or an answer to HEAD
  }
  const Type = TYPES[response.status] ?? (response.status >= 500 ? ServerFailure : ApiError);
  message ||= `the server answered with status ${response.status}`;
  return new Type(response.status, code, message, response.headers.get("X-Request-Id") ?? "");
}
