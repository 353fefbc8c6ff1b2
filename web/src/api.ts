import type {
  Account,
  Agent,
  Answer,
  AnswersAccepted,
  AskPage,
  BagFile,
  Chat,
  ChatChange,
  ChatPage,
  ChatWithMessages,
  DeletedAttachment,
  Line,
  MessageQueue,
  Model,
  RestoredSnapshot,
  Run,
  Settings,
  Share,
  SnapshotToRestore,
  TurnRequest,
} from "./types";

/** An error answer of the server. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
  ) {
    super(message);
  }
}

export class OfflineError extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

const loggedOutListeners = new Set<() => void>();

/** Called when the session of this browser is no longer valid. */
export function onLoggedOut(listener: () => void): () => void {
  loggedOutListeners.add(listener);
  return () => loggedOutListeners.delete(listener);
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new OfflineError();
  }
  if (response.ok) return response;
  const { status, headers } = response;
  throw problem(status, await response.text(), headers.get("X-Request-Id"), headers.get("Satchel-Error"));
}

/** The code of an error of a session is in a header, because its body has no field for it. */
export function problem(
  status: number,
  body: string,
  requestId: string | null,
  code: string | null = null,
): ApiError {
  if (status === 401) loggedOutListeners.forEach((listener) => listener());
  try {
    const details = JSON.parse(body) as { code?: string; error?: string; detail?: string };
    return new ApiError(
      status,
      details.code ?? code ?? String(status),
      details.detail ?? details.error ?? `The server answered ${status}.`,
      requestId ?? "",
    );
  } catch {
    return new ApiError(status, String(status), `The server answered ${status}.`, requestId ?? "");
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, { signal })).json() as Promise<T>;
}

export async function sendJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await request(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const CHATS = "/api/assistant/chats";
const chatPath = (id: string) => `${CHATS}/${encodeURIComponent(id)}`;
const query = (values: Record<string, string | null>) => {
  const present = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  return present.length === 0 ? "" : `?${new URLSearchParams(present)}`;
};

export const api = {
  me: () => getJson<Account>("/api/me"),
  setPassword: (password: string, oldPassword: string) =>
    sendJson<void>("PUT", "/api/me/password", oldPassword === "" ? { password } : { password, oldPassword }),
  settings: () => getJson<Settings>("/api/settings"),
  agents: () => getJson<{ agents: Agent[] }>("/api/agents"),
  models: () => getJson<{ models: Model[] }>("/api/models"),
  chats: (cursor: string | null, which: { pinned?: string; archived?: string } = {}) =>
    getJson<ChatPage>(CHATS + query({ cursor, limit: "100", ...which })),
  createChat: () => sendJson<Chat>("POST", CHATS, {}),
  chat: (id: string, cursor: string | null = null, limit = 50) =>
    getJson<ChatWithMessages>(chatPath(id) + query({ cursor, limit: String(limit) })),
  change: (id: string, change: ChatChange) => sendJson<Chat>("PATCH", chatPath(id), change),
  shares: (id: string) => getJson<{ shares: Share[] }>(`${chatPath(id)}/shares`),
  share: (id: string, readers: "link" | "tenant") => sendJson<Share>("POST", `${chatPath(id)}/shares`, { with: readers }),
  revokeShare: (id: string, share: string) => sendJson<void>("DELETE", `${chatPath(id)}/shares/${share}`),
  deleteChat: (id: string) => sendJson<void>("DELETE", chatPath(id)),
  restore: (id: string) => sendJson<Chat>("POST", `${chatPath(id)}/restore`),
  cancel: (id: string) => sendJson<{ cancelled: boolean }>("POST", `${chatPath(id)}/cancel`),
  /** The newest messages up to one, which need not be on the active path. */
  chatAt: (id: string, head: string, limit: number) =>
    getJson<ChatWithMessages>(chatPath(id) + query({ head, limit: String(limit) })),
  switchHead: (id: string, messageId: string) =>
    sendJson<{ undo?: string }>("POST", `${chatPath(id)}/head`, { messageId }),
  fork: (id: string, messageId: string) =>
    sendJson<{ session: { id: string } }>("POST", `/api/sessions/${encodeURIComponent(id)}/fork`, { messageId }),
  resumeSession: (id: string) =>
    sendJson<unknown>("POST", `/api/sessions/${encodeURIComponent(id)}/resume`),
  restoreSnapshot: (id: string, wanted: SnapshotToRestore) =>
    sendJson<RestoredSnapshot>("POST", `/api/sessions/${encodeURIComponent(id)}/restore`, wanted),
  restoreWorkspace: (id: string) =>
    sendJson<unknown>("POST", `/api/sessions/${encodeURIComponent(id)}/workspace/restore`),
  send: (turn: TurnRequest, signal: AbortSignal) =>
    request("/api/assistant/chat/stream", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ ...turn, onDisconnect: "continue" }),
      signal,
    }),
  follow: (id: string, lastEventId: string, signal: AbortSignal) =>
    request(`${chatPath(id)}/stream`, {
      headers: {
        Accept: "text/event-stream",
        ...(lastEventId === "" ? {} : { "Last-Event-ID": lastEventId }),
      },
      signal,
    }),
  queue: (id: string) => getJson<MessageQueue>(`${chatPath(id)}/queue`),
  editQueued: (id: string, message: string, text: string) =>
    sendJson<MessageQueue>("PATCH", `${chatPath(id)}/queue/${encodeURIComponent(message)}`, { message: text }),
  steerQueued: (id: string, message: string) =>
    sendJson<MessageQueue>("PATCH", `${chatPath(id)}/queue/${encodeURIComponent(message)}`, { whenBusy: "steer" }),
  removeQueued: (id: string, message: string) =>
    sendJson<void>("DELETE", `${chatPath(id)}/queue/${encodeURIComponent(message)}`),
  resumeQueue: (id: string) => sendJson<MessageQueue>("POST", `${chatPath(id)}/queue/resume`),
  files: (id: string, signal?: AbortSignal) =>
    getJson<{ files: BagFile[] }>(`${chatPath(id)}/files`, signal),
  claim: (id: string, file: string) =>
    sendJson<{ files: BagFile[] }>("POST", `${chatPath(id)}/files/claim`, { fileIds: [file] }),
  deleteFile: (id: string, file: string) =>
    sendJson<DeletedAttachment | undefined>("DELETE", `${chatPath(id)}/files/${encodeURIComponent(file)}`),
  asks: () => getJson<AskPage>("/api/asks?limit=200"),
  answer: (run: string, answers: Answer[]) =>
    sendJson<AnswersAccepted>("POST", `/api/runs/${encodeURIComponent(run)}/answers`, { answers }),
  run: (id: string) => getJson<Run>(`/api/runs/${encodeURIComponent(id)}`),
  traceOfStep: async (run: string, step: string) =>
    (await (await request(traceUrl(run) + query({ step }))).text())
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line),
};

export const fileUrl = (chat: string, file: string) =>
  `${chatPath(chat)}/files/${encodeURIComponent(file)}`;
export const uploadUrl = (chat: string, folder: string) =>
  `${chatPath(chat)}/files${query({ folder })}`;
export const bagZipUrl = (chat: string) => `${chatPath(chat)}/files.zip`;
export const chatExportUrl = (chat: string, format: "md" | "zip") => `${chatPath(chat)}/export.${format}`;
export const workspaceUrl = (chat: string) => `/api/sessions/${encodeURIComponent(chat)}/files`;
export const workspaceFileUrl = (chat: string, path: string) =>
  `${workspaceUrl(chat)}/${path.split("/").map(encodeURIComponent).join("/")}`;
export const snapshotsUrl = (chat: string) => `/api/sessions/${encodeURIComponent(chat)}/snapshots`;
export const traceUrl = (run: string) => `/api/runs/${encodeURIComponent(run)}/trace`;
