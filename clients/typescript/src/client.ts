import { RunEvents } from "./events.js";
import { Files } from "./files.js";
import { type Abortable, Http, type Options } from "./http.js";
import type {
  Agent,
  AgentRun,
  Answer,
  AnswersAccepted,
  AskPage,
  Chat,
  ChatPage,
  ChatWithMessages,
  Model,
  Queued,
  Run,
} from "./types.js";

export interface Page extends Abortable {
  limit?: number;
  cursor?: string | null;
}

export interface Turn extends Abortable {
  /** A new chat if none is named. */
  chat?: string;
  /** Ids of files of the chat. */
  files?: string[];
  agent?: string;
  model?: string;
  /** What happens to the run when this client goes away; it goes on unless `cancel` is named. */
  onDisconnect?: "continue" | "cancel";
}

/** A client of a Satchel server. A refusal is an ApiError, a server that cannot be reached is a ConnectionLost. */
export class Satchel {
  readonly chats: Chats;
  readonly files: Files;
  readonly runs: Runs;
  readonly agents: Agents;
  private readonly http: Http;

  constructor(options: Options) {
    this.http = new Http(options);
    this.chats = new Chats(this.http);
    this.files = new Files(this.http);
    this.runs = new Runs(this.http);
    this.agents = new Agents(this.http);
  }

  /** What waits for an answer, in all chats and in runs without a chat. */
  asks(page: Page = {}): Promise<AskPage> {
    return this.http.get(`/api/asks${query(page)}`, page);
  }

  async models(about: Abortable = {}): Promise<Model[]> {
    return (await this.http.get<{ models: Model[] }>("/api/models", about)).models;
  }
}

/** Conversations, and the turns that are taken in them. */
export class Chats {
  constructor(private readonly http: Http) {}

  list(page: Page = {}): Promise<ChatPage> {
    return this.http.get(CHATS + query(page), page);
  }

  create(title?: string, about: Abortable = {}): Promise<Chat> {
    return this.http.write("POST", CHATS, title === undefined ? {} : { title }, about);
  }

  /** The chat with its newest messages, or with those before a cursor. */
  read(chat: string, page: Page = {}): Promise<ChatWithMessages> {
    return this.http.get(chatPath(chat) + query(page), page);
  }

  rename(chat: string, title: string, about: Abortable = {}): Promise<Chat> {
    return this.http.write("PATCH", chatPath(chat), { title }, about);
  }

  async delete(chat: string, about: Abortable = {}): Promise<void> {
    await this.http.write("DELETE", chatPath(chat), undefined, about);
  }

  /** Sends a message; what answers it comes as events. `signal` ends the reading, `cancel` the run. */
  send(message: string, turn: Turn = {}): Promise<RunEvents> {
    const key = crypto.randomUUID();
    return new RunEvents(this.http, (signal) => this.post(message, turn, key, {}, signal), undefined, turn).open();
  }

  /**
   * Sends a message, or queues it while another turn of its chat runs; its turn starts by itself. With `steer` the
   * running agent hears it.
   */
  async sendOrQueue(message: string, turn: Turn = {}, whenBusy: "queue" | "steer" = "queue"): Promise<RunEvents | Queued> {
    const key = crypto.randomUUID();
    let queued: Queued | undefined;
    const first = async (signal: AbortSignal) => {
      const response = await this.post(message, turn, key, { whenBusy }, signal);
      if (response.status === 202) queued = (await response.json()) as Queued;
      return response;
    };
    const events = await new RunEvents(this.http, first, undefined, turn).open();
    return queued ?? events;
  }

  /** The run that is answering right now, from its beginning; undefined when there is none. */
  async follow(chat: string, about: Abortable = {}): Promise<RunEvents | undefined> {
    let running = true;
    const first = async (signal: AbortSignal) => {
      const headers = { Accept: "text/event-stream" };
      const response = await this.http.send("GET", `${chatPath(chat)}/stream`, { headers, signal });
      running = response.status !== 204;
      return response;
    };
    const events = await new RunEvents(this.http, first, undefined, about).open();
    return running ? events : undefined;
  }

  /** Stops the turn in progress; false when there was none. */
  async cancel(chat: string, about: Abortable = {}): Promise<boolean> {
    return (await this.http.write<{ cancelled: boolean }>("POST", `${chatPath(chat)}/cancel`, {}, about)).cancelled;
  }

  private post(message: string, turn: Turn, key: string, more: object, signal: AbortSignal): Promise<Response> {
    const headers = { Accept: "text/event-stream", "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({
      message,
      chatId: turn.chat,
      attachmentIds: turn.files ?? [],
      agentId: turn.agent,
      model: turn.model,
      onDisconnect: turn.onDisconnect ?? "continue",
      ...more,
    });
    return this.http.send("POST", "/api/assistant/chat/stream", { headers, body, signal });
  }
}

/** Executions, live or long over. */
export class Runs {
  constructor(private readonly http: Http) {}

  read(run: string, about: Abortable = {}): Promise<Run> {
    return this.http.get(runPath(run), about);
  }

  /** From the beginning. */
  events(run: string, about: Abortable = {}): Promise<RunEvents> {
    return this.eventsAfter(`${run}:0`, about);
  }

  /** After a `position` of RunEvents. */
  eventsAfter(position: string, about: Abortable = {}): Promise<RunEvents> {
    return new RunEvents(this.http, undefined, position, about).open();
  }

  answer(run: string, answers: Answer[], about: Abortable = {}): Promise<AnswersAccepted> {
    return this.http.write("POST", `${runPath(run)}/answers`, { answers }, about);
  }

  async cancel(run: string, about: Abortable = {}): Promise<boolean> {
    return (await this.http.write<{ cancelled: boolean }>("POST", `${runPath(run)}/cancel`, {}, about)).cancelled;
  }
}

/** Saved agents. */
export class Agents {
  constructor(private readonly http: Http) {}

  async list(about: Abortable = {}): Promise<Agent[]> {
    return (await this.http.get<{ agents: Agent[] }>("/api/agents", about)).agents;
  }

  /** The fields are those of the API: systemPrompt, tools, permissions and so on. */
  create(name: string, fields: Record<string, unknown> = {}, about: Abortable = {}): Promise<Agent> {
    return this.http.write("POST", "/api/agents", { ...fields, name }, about);
  }

  async delete(agent: string, about: Abortable = {}): Promise<void> {
    await this.http.write("DELETE", `/api/agents/${encodeURIComponent(agent)}`, undefined, about);
  }

  /** Runs an agent without a chat and waits for its end; a run that asks returns with the status "waiting". */
  run(agent: string, prompt: string, about: Abortable = {}): Promise<AgentRun> {
    const path = `/api/agents/${encodeURIComponent(agent)}/runs`;
    return this.http.write("POST", path, { prompt, onDisconnect: "continue" }, about);
  }
}

/** Allows a call, or answers a question with a text. `remember` holds for later calls of the tool. */
export function allow(askId: string, text?: string, remember?: "run" | "chat"): Answer {
  return answerOf(askId, "allow", text, remember);
}

/** Refuses a call; the agent reads the reason. */
export function deny(askId: string, reason?: string, remember?: "run" | "chat"): Answer {
  return answerOf(askId, "deny", reason, remember);
}

function answerOf(askId: string, decision: "allow" | "deny", text?: string, remember?: "run" | "chat"): Answer {
  const answer: Answer = { askId, decision };
  if (text !== undefined) answer.text = text;
  if (remember !== undefined) answer.remember = remember;
  return answer;
}

const CHATS = "/api/assistant/chats";

function chatPath(chat: string): string {
  return `${CHATS}/${encodeURIComponent(chat)}`;
}

function runPath(run: string): string {
  return `/api/runs/${encodeURIComponent(run)}`;
}

function query({ limit = 50, cursor }: Page): string {
  return `?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
}
