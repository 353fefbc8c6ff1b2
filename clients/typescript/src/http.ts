import { ApiError, ConnectionLost, refusal } from "./errors.js";

const MOST_FAILURES = 10;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

export interface Options {
  /** The address of the server, also below a path: `https://host/satchel`. */
  url: string;
  /** An API key; absent for a page of the server itself, which has the login of its browser. */
  key?: string;
  /** Another `fetch`, such as one with a proxy. */
  fetch?: typeof fetch;
}

export interface Abortable {
  /** Ends the call with an AbortError. */
  signal?: AbortSignal | undefined;
}

/** Whether and after how long a request is sent again: as long as the server has answered once. */
export class Backoff {
  private failures = 0;

  constructor(private known = false) {}

  succeeded(): void {
    this.failures = 0;
    this.known = true;
  }

  /** Waits before the next try, or throws the failure. */
  async failed(failure: unknown, signal?: AbortSignal): Promise<void> {
    this.failures += 1;
    if (this.failures > MOST_FAILURES || !this.isWorthAnother(failure)) throw failure;
    this.known = true;
    await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1)), signal);
  }

  private isWorthAnother(failure: unknown): boolean {
    if (failure instanceof ApiError) return failure.inDoubt || (this.known && failure.temporary);
    if (!(failure instanceof ConnectionLost)) return false;
    return this.known || !isRefused(failure.cause);
  }
}

/** The first outcome that is not a lost connection. */
export async function repeat<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const backoff = new Backoff();
  while (true) {
    try {
      return await attempt();
    } catch (failure) {
      await backoff.failed(failure, signal);
    }
  }
}

export interface Call extends Abortable {
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** Sends all requests and reads refusals. */
export class Http {
  private readonly base: string;
  private readonly fetch: typeof fetch;

  constructor(private readonly options: Options) {
    this.base = options.url.replace(/\/+$/, "");
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** A response below 400, whose body the caller reads. */
  async send(method: string, path: string, call: Call = {}): Promise<Response> {
    const headers = new Headers(call.headers);
    if (this.options.key) headers.set("Authorization", `Bearer ${this.options.key}`);
    const init: RequestInit = { method, headers };
    if (call.body !== undefined) init.body = call.body;
    if (call.signal) init.signal = call.signal;
    const response = await lost(() => this.fetch(this.base + path, init), call.signal);
    if (response.status >= 400) throw await refusal(response);
    return response;
  }

  async get<T>(path: string, about: Abortable = {}): Promise<T> {
    return repeat(async () => json<T>(await this.send("GET", path, about), about.signal), about.signal);
  }

  /** A write with a key of its own: however often it is sent, it is done once. */
  async write<T>(method: string, path: string, value?: unknown, about: Abortable = {}): Promise<T> {
    const headers: Record<string, string> = { "Idempotency-Key": crypto.randomUUID() };
    const call: Call = { headers, signal: about.signal };
    if (value !== undefined) {
      headers["Content-Type"] = "application/json";
      call.body = JSON.stringify(value);
    }
    return repeat(async () => json<T>(await this.send(method, path, call), about.signal), about.signal);
  }

  /** The path of an address that the server gave, without the part before the API. */
  relative(location: string): string {
    const before = new URL(this.base, "http://page").pathname.replace(/\/+$/, "");
    const path = new URL(location, "http://page").pathname;
    return path.startsWith(before) ? path.slice(before.length) : path;
  }
}

/** What breaks a connection is a ConnectionLost; what the caller aborts stays an AbortError. */
export async function lost<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await attempt();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof ApiError || cause instanceof ConnectionLost) throw cause;
    throw new ConnectionLost(reason(cause), { cause });
  }
}

async function json<T>(response: Response, signal?: AbortSignal): Promise<T> {
  const text = await lost(() => response.text(), signal);
  try {
    return (text === "" ? {} : JSON.parse(text)) as T;
  } catch (cause) {
    throw new SyntaxError("what answers here is not Satchel", { cause });
  }
}

function reason(cause: unknown): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}

function isRefused(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const code = (inner as { code?: string } | undefined)?.code;
  return code === "ECONNREFUSED" || code === "ENOTFOUND";
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
