import { ConnectionLost, RunFailed } from "./errors.js";
import { type Abortable, Backoff, type Http, lost } from "./http.js";
import type { Answer, AnswersAccepted, AskEvent, FileInfo, RunEvent } from "./types.js";

/** The server sends something at least each 15 seconds; a silent connection is dead. */
const LONGEST_SILENCE_MS = 60_000;

/** How a run stands: its answer and files, or what it asks when `status` is "waiting". */
export interface Result {
  status: string;
  message: string;
  files: FileInfo[];
  asks: AskEvent[];
}

type Opening = (signal: AbortSignal) => Promise<Response>;

/**
 * The events of one run in order, each once. A lost connection is made again and goes on where it was cut. The
 * loop ends with the run, or when it waits for answers; after `answer` another loop goes on.
 */
export class RunEvents implements AsyncIterable<RunEvent> {
  /** `<run id>:<number>`, to go on in another process. */
  position: string | undefined;
  chatId: string | undefined;
  runId: string | undefined;

  private readonly backoff = new Backoff();
  private readonly closing = new AbortController();
  private lines: Lines | undefined;
  private ended = false;
  private readonly answered = new Set<string>(); // a continued run may repeat an ask
  private failure: RunFailed | undefined;
  private outcome: Result = { status: "running", message: "", files: [], asks: [] };

  /** `first` sends the message; later connections name a position. */
  constructor(
    private readonly http: Http,
    private readonly first: Opening | undefined,
    position: string | undefined,
    private readonly about: Abortable,
  ) {
    this.position = position;
    this.runId = position?.slice(0, position.lastIndexOf(":"));
  }

  /** Connects, so that a refusal is thrown here. */
  async open(): Promise<this> {
    while (!this.lines && !this.ended) {
      try {
        await this.connect();
      } catch (failure) {
        await this.recover(failure);
      }
    }
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, void> {
    while (!this.ended && !this.closing.signal.aborted) {
      let event: RunEvent;
      try {
        await this.connect();
        if (!this.lines) return;
        event = this.take(await this.lines.frame());
      } catch (failure) {
        if (this.closing.signal.aborted) return;
        await this.recover(failure);
        continue;
      }
      yield event;
    }
  }

  /** Reads to the end. Throws RunFailed if there is no answer; a run that asks has the status "waiting". */
  async result(): Promise<Result> {
    for await (const _ of this);
    if (this.failure) throw this.failure;
    const { status } = this.outcome;
    if (status !== "succeeded" && status !== "waiting") {
      throw new RunFailed(status, `the run was ${status}`);
    }
    return this.outcome;
  }

  /** Answers asks, made by `allow` and `deny`. When nothing is open any more the run goes on, and so does this. */
  async answer(...answers: Answer[]): Promise<AnswersAccepted> {
    const path = `/api/runs/${encodeURIComponent(this.runId ?? "")}/answers`;
    const accepted = await this.http.write<AnswersAccepted>("POST", path, { answers }, this.about);
    for (const { askId } of answers) this.answered.add(askId);
    this.outcome.asks = this.outcome.asks.filter((ask) => !this.answered.has(ask.id));
    if (accepted.status === "running") this.ended = false;
    return accepted;
  }

  /** Stops the run. False if it was over. */
  async cancel(): Promise<boolean> {
    const path = `/api/runs/${encodeURIComponent(this.runId ?? "")}/cancel`;
    return (await this.http.write<{ cancelled: boolean }>("POST", path, {})).cancelled;
  }

  /** Ends the reading, not the run. */
  close(): void {
    this.closing.abort();
    this.disconnect();
  }

  private async connect(): Promise<void> {
    if (this.lines || this.ended) return;
    const stop = new AbortController();
    const signals = [stop.signal, this.closing.signal];
    if (this.about.signal) signals.push(this.about.signal);
    const signal = AbortSignal.any(signals);
    const response = await this.response(signal);
    this.ended = response.status === 204 || response.status === 202; // nothing comes after what we have
    if (!this.ended && response.body) this.lines = new Lines(response.body, stop);
  }

  private response(signal: AbortSignal): Promise<Response> {
    if (this.position === undefined && this.first) return this.first(signal);
    const headers = { Accept: "text/event-stream", "Last-Event-ID": this.position ?? "" };
    return this.http.send("GET", `/api/runs/${encodeURIComponent(this.runId ?? "")}/events`, { headers, signal });
  }

  private take({ id, data }: Frame): RunEvent {
    const event = JSON.parse(data) as RunEvent;
    this.backoff.succeeded();
    this.position = id || this.position;
    if (event.type === "chat" || event.type === "run") {
      this.runId = event.runId;
      if (event.type === "chat") this.chatId = event.chatId;
    } else if (event.type === "ask" && !this.answered.has(event.id)) {
      this.outcome.asks = [...this.outcome.asks.filter((ask) => ask.id !== event.id), event];
    } else if (event.type === "result") {
      this.outcome.message = event.message;
      this.outcome.files = event.files ?? [];
    } else if (event.type === "error") {
      this.failure = new RunFailed(event.code, event.message);
    } else if (event.type === "end") {
      this.outcome.status = event.status;
      this.ended = true;
      this.disconnect();
    }
    return event;
  }

  private async recover(failure: unknown): Promise<void> {
    this.disconnect();
    this.about.signal?.throwIfAborted();
    await this.backoff.failed(failure, this.about.signal);
  }

  private disconnect(): void {
    this.lines?.close();
    this.lines = undefined;
  }
}

interface Frame {
  id: string;
  data: string;
}

/** Server-sent events of one connection; half an event at its end does not count. */
class Lines {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private text = "";

  constructor(
    body: ReadableStream<Uint8Array>,
    private readonly stop: AbortController,
  ) {
    this.reader = body.getReader();
  }

  async frame(): Promise<Frame> {
    let id = "";
    const data: string[] = [];
    while (true) {
      const line = await this.line();
      if (line === "" && data.length > 0) return { id, data: data.join("\n") };
      if (line.startsWith("id:")) id = line.slice(3).trim();
      else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
  }

  close(): void {
    this.stop.abort();
  }

  private async line(): Promise<string> {
    let end = this.text.indexOf("\n");
    while (end < 0) {
      const { done, value } = await lost(() => this.read());
      if (done) throw new ConnectionLost("the connection ended before the run did");
      const before = this.text.length;
      this.text += this.decoder.decode(value, { stream: true });
      end = this.text.indexOf("\n", before);
    }
    const line = this.text.slice(0, end).replace(/\r$/, "");
    this.text = this.text.slice(end + 1);
    return line;
  }

  private async read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const timer = setTimeout(() => this.stop.abort(), LONGEST_SILENCE_MS);
    try {
      return await this.reader.read();
    } finally {
      clearTimeout(timer);
    }
  }
}
