import { ApiError, OfflineError, api } from "./api";
import { announceTurn } from "./channel";
import { NEW, isShown, received, withThread, type ChatState } from "./chat-state";
import { EMPTY } from "./fold";
import { followRun } from "./follow";
import type { Named } from "./models";
import { randomId } from "./random";
import type { ServerEvent } from "./sse";
import type { Answer, ChatChange, ChatWithMessages, Line, Message } from "./types";
import { Uploads } from "./uploads";

/** A message that could not be sent, with the cause. */
export class SendFailure extends Error {
  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

const HIDDEN_MILLIS = 100;

/** The message that an edit follows: what the edited one follows, also when it has just been sent. */
function parentOf(messages: readonly Message[], edited: Message): string | null {
  return edited.parentId ?? messages[messages.findIndex(({ id }) => id === edited.id) - 1]?.id ?? null;
}

/** The messages before one. */
function upTo(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex(({ id }) => id === message.id);
  return at < 0 ? messages : messages.slice(0, at);
}

/** One conversation on the page: its thread, its active run and its uploads. */
export class ChatStore {
  private state: ChatState;
  private readonly listeners = new Set<() => void>();
  private readonly lifetime = new AbortController();
  private following = false;
  private pending = false;
  private lastEventId = "";
  private creating: Promise<string> | null = null;
  readonly uploads: Uploads;

  constructor(
    private id: string | null,
    private readonly created: (id: string) => void,
    private readonly changed: () => void,
  ) {
    this.state = id === null ? NEW : { ...NEW, phase: "loading" };
    this.uploads = new Uploads(() => this.ensureChat());
  }

  get chatId(): string | null {
    return this.id;
  }

  readonly snapshot = (): ChatState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Reads the thread, and follows a run that is active. */
  async refresh(): Promise<void> {
    if (this.id === null) return;
    if (this.following) return this.readQueue();
    try {
      const chat = await api.chat(this.id);
      if (this.following) return; // a message was sent meanwhile: its stream is newer
      if (this.state.live?.waitsFor) {
        if (chat.activeRun?.status !== "waiting") this.goOn();
        else await this.readAsks(); // another tab may have answered one of several
        return this.readQueue(chat);
      }
      if (isShown(this.state, chat)) return;
      this.set(withThread(this.state, chat, chat.nextCursor));
      await this.readQueue(chat);
      if (chat.activeRun) {
        this.begin(chat.conversationId ?? "", chat.activeRun.id);
        void this.follow(null);
      } else await this.startNext(chat);
    } catch (error) {
      this.refreshFailed(error);
    }
  }

  /** The chat has another title, or is pinned or archived. */
  changedTo(change: ChatChange): void {
    if (this.state.chat) this.set({ chat: { ...this.state.chat, ...change } });
  }

  async loadOlder(): Promise<void> {
    const { olderCursor, messages } = this.state;
    if (this.id === null || olderCursor === null) return;
    const page = await api.chat(this.id, olderCursor, 200);
    if (this.state.olderCursor !== olderCursor) return; // requested twice
    this.set({ messages: [...page.messages, ...messages], olderCursor: page.nextCursor });
  }

  /**
   * Shows the message at once; throws a SendFailure when the server did not accept it. A message
   * that is an edit of another has its files and its place; a new one has those that were uploaded for it.
   */
  async send(text: string, named?: Named, edited?: Message): Promise<void> {
    const attached = edited ? (edited.fileAttachments ?? []) : this.uploads.finished();
    const before = this.state.messages;
    const userMessageId = randomId();
    const message: Message = {
      id: userMessageId,
      role: "user",
      content: text.trim() === "" ? [] : [{ type: "text", text }],
      fileAttachments: attached,
      createdAt: Date.now(),
    };
    this.set({ messages: [...(edited ? upTo(before, edited) : before), message] });
    this.begin(userMessageId, null);
    let response: Response;
    try {
      const chatId = await this.ensureChat();
      const attachmentIds = attached.map((file) => file.id);
      const place = edited ? { parentMessageId: parentOf(before, edited) } : { whenBusy: "queue" as const };
      response = await api.send({ message: text, chatId, userMessageId, attachmentIds, ...named, ...place }, this.lifetime.signal);
    } catch (error) {
      this.withdraw(userMessageId);
      if (edited) this.set({ messages: before });
      void this.refresh(); // another tab may have begun a turn
      throw new SendFailure(error);
    }
    if (!edited) this.uploads.sent(attached);
    if (response.status === 202) {
      this.withdraw(userMessageId); // another tab has begun a turn: the message waits
      await this.refresh();
      return;
    }
    this.changed();
    announceTurn(this.id ?? "");
    void this.follow(response);
  }

  /** Answers a message once more; the answers before stay as siblings. */
  async regenerate(question: Message, named?: Named): Promise<void> {
    const { messages } = this.state;
    this.set({ messages: [...upTo(messages, question), question] });
    this.begin(question.id, null);
    try {
      const chatId = await this.ensureChat();
      const request = { chatId, userMessageId: question.id, regenerate: true, ...named };
      const response = await api.send(request, this.lifetime.signal);
      this.changed();
      announceTurn(chatId);
      void this.follow(response);
    } catch (error) {
      this.following = false;
      this.set({ live: null, messages });
      void this.refresh();
      throw new SendFailure(error);
    }
  }

  /**
   * Shows the path through another message; the files are those of its end. Returns the snapshot of
   * the files that were there before, if there were any.
   */
  async switchTo(messageId: string): Promise<string | undefined> {
    if (this.id === null || this.state.switching) return undefined;
    this.set({ switching: true });
    try {
      const { undo } = await api.switchHead(this.id, messageId);
      const chat = await api.chat(this.id);
      if (this.following) return undefined;
      this.set({ ...withThread(this.state, chat, chat.nextCursor), switches: this.state.switches + 1 });
      announceTurn(this.id);
      return undo;
    } finally {
      this.set({ switching: false });
    }
  }

  /** The question of an answer; it may be on a page that is not loaded yet. */
  async questionOf(answerId: string): Promise<Message | undefined> {
    const before = () => this.state.messages.slice(0, Math.max(0, this.state.messages.findIndex(({ id }) => id === answerId)));
    if (before().length === 0) await this.loadOlder();
    return before().findLast((message) => message.role === "user");
  }

  /** A new chat with the messages up to one, and the files of then. */
  async fork(messageId: string): Promise<string> {
    const { session } = await api.fork(await this.ensureChat(), messageId);
    await api.resumeSession(session.id);
    this.changed();
    return session.id;
  }

  /** Removes a message from the thread that the server has not begun to answer. */
  private withdraw(userMessageId: string): void {
    this.following = false;
    this.set({
      live: null,
      messages: this.state.messages.filter((shown) => shown.id !== userMessageId),
    });
  }

  /** Sends a message after the running turn, or lets the running agent hear it; throws a SendFailure when the server did not accept it. */
  async enqueue(text: string, named?: Named, whenBusy: "queue" | "steer" = "queue"): Promise<void> {
    const attached = this.uploads.finished();
    let response: Response;
    try {
      const chatId = await this.ensureChat();
      response = await api.send(
        { message: text, chatId, attachmentIds: attached.map((file) => file.id), ...named, whenBusy },
        this.lifetime.signal,
      );
      await response.body?.cancel(); // if the turn has ended meanwhile, its stream is opened below
    } catch (error) {
      throw new SendFailure(error);
    }
    this.uploads.sent(attached);
    announceTurn(this.id ?? "");
    await this.refresh();
  }

  async editQueued(message: string, text: string): Promise<void> {
    await this.changeQueue((id) => api.editQueued(id, message, text));
  }

  /** Lets the running agent hear a message; false if it keeps its own turn. */
  async steerQueued(message: string): Promise<boolean> {
    await this.changeQueue((id) => api.steerQueued(id, message));
    const waiting = this.state.queue.find((queued) => queued.messageId === message);
    return !waiting || waiting.steering === true;
  }

  async removeQueued(message: string): Promise<void> {
    await this.changeQueue((id) => api.removeQueued(id, message));
    const { chatId } = this;
    if (chatId !== null) this.uploads.restore(chatId, (await api.files(chatId)).files);
  }

  async resumeQueue(): Promise<void> {
    await this.changeQueue((id) => api.resumeQueue(id));
    await this.refresh();
  }

  /** The queue is read again also when the change was refused: the turn may have started. */
  private async changeQueue(change: (id: string) => Promise<unknown>): Promise<void> {
    if (this.id === null) return;
    try {
      await change(this.id);
    } finally {
      await this.readQueue();
    }
  }

  /** Reads the queue, unless the chat that was just read says that there is none. */
  private async readQueue(chat?: ChatWithMessages): Promise<void> {
    if (chat?.queued === 0) {
      if (this.state.queue.length > 0) this.set({ queue: [], paused: false });
      return;
    }
    try {
      const { messages, paused } = await api.queue(this.id ?? "");
      this.set({ queue: messages, paused });
    } catch {
      // the next refresh reads it
    }
  }

  /** Between two turns: lets the server start the next one now, and follows it. */
  private async startNext(chat: ChatWithMessages): Promise<void> {
    if (this.following || this.state.paused || chat.queued === 0) return;
    const response = await api.follow(this.id ?? "", "", this.lifetime.signal);
    await response.body?.cancel();
    if (response.status !== 204) await this.refresh();
  }

  async stop(): Promise<void> {
    if (this.id === null || !this.state.live) return;
    this.set({ live: { ...this.state.live, stopping: true } });
    await api.cancel(this.id);
    this.goOn();
  }

  /** Answers what the run waits for; it goes on when nothing is open any more. */
  async answer(answer: Answer): Promise<void> {
    const { live } = this.state;
    if (!live?.waitsFor || !live.runId) return;
    const { status } = await api.answer(live.runId, [answer]);
    const waitsFor = live.waitsFor.filter((id) => id !== answer.askId);
    this.set({ live: { ...live, waitsFor } });
    if (status === "running") this.goOn();
    this.changed();
    announceTurn(this.id ?? "");
  }

  /** Follows a run that has waited; its events continue where they stopped. */
  private goOn(): void {
    const { live } = this.state;
    if (!live?.waitsFor || this.following) return;
    this.following = true;
    this.set({ live: { ...live, waitsFor: null } });
    void this.follow(null);
  }

  /** The stream has all that was ever asked; the server knows what is still open. */
  private async readAsks(): Promise<void> {
    try {
      const { asks } = await api.asks();
      const { live } = this.state;
      if (!live?.waitsFor) return;
      const open = asks.filter((ask) => ask.runId === live.runId).map((ask) => ask.askId);
      if (open.length > 0) this.set({ live: { ...live, waitsFor: open } });
    } catch {
      // an answer to what is not open any more is refused
    }
  }

  dispose(): void {
    this.lifetime.abort();
    this.uploads.dispose();
    this.listeners.clear();
  }

  /** Files may be added before the first message, so a chat is created when it is first needed. */
  private ensureChat(): Promise<string> {
    if (this.id !== null) return Promise.resolve(this.id);
    this.creating ??= api
      .createChat()
      .then((chat) => {
        this.id = chat.id;
        this.set({ chat });
        this.created(chat.id);
        return chat.id;
      })
      .finally(() => {
        this.creating = null;
      });
    return this.creating;
  }

  private begin(userMessageId: string, runId: string | null): void {
    this.following = true;
    this.lastEventId = "";
    const startedAt = Date.now();
    this.set({
      connected: true,
      live: { runId, userMessageId, fold: EMPTY, files: [], startedAt, stopping: false, waitsFor: null, failure: null },
    });
  }

  private async follow(response: Response | null): Promise<void> {
    const follower = {
      events: (events: ServerEvent[]) => this.receive(events),
      connected: (connected: boolean) => {
        if (this.state.connected !== connected) this.set({ connected });
      },
    };
    try {
      await followRun(this.id ?? "", response, this.lastEventId, follower, this.lifetime.signal);
    } catch {
      // refused (logged out, deleted): the stored thread is shown
    }
    this.following = false;
    if (this.lifetime.signal.aborted) return;
    await (this.state.live?.waitsFor ? this.readAsks() : this.reread());
    this.changed();
  }

  /** After a run: replaces the folded messages by the stored ones, which have the times of the server. */
  private async reread(): Promise<void> {
    try {
      const chat = await api.chat(this.id ?? "", null, 20);
      if (this.following) return;
      this.set({ ...withThread(this.state, chat, undefined), live: null, connected: true });
      await this.readQueue(chat);
      if (chat.activeRun) await this.refresh(); // the next turn began meanwhile
      else await this.startNext(chat);
    } catch (error) {
      this.refreshFailed(error);
    }
  }

  private receive(events: ServerEvent[]): void {
    this.lastEventId = events.at(-1)?.id ?? this.lastEventId;
    this.state = events.reduce((state, event) => received(state, JSON.parse(event.data) as Line), this.state);
    this.showNextFrame();
  }

  /** A fast model sends more often than the screen shows anything. */
  private showNextFrame(): void {
    if (this.pending) return;
    this.pending = true;
    const show = () => {
      this.pending = false;
      this.listeners.forEach((listener) => listener());
    };
    if (document.hidden) setTimeout(show, HIDDEN_MILLIS); // there are no frames
    else requestAnimationFrame(show);
  }

  private refreshFailed(error: unknown): void {
    if (error instanceof ApiError && error.status === 404) this.set({ phase: "missing" });
    else if (error instanceof OfflineError && this.state.phase === "loading")
      this.set({ phase: "unreachable" });
  }

  private set(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    this.listeners.forEach((listener) => listener());
  }
}
