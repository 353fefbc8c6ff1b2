/** What the server sends. Fields and types of events that a newer server adds are passed on as they are. */

export interface Chat {
  id: string;
  title: string | null;
  messageCount: number;
  createdAt: number;
  updatedAt: number;
}

export interface Message {
  id: string;
  role: "user" | "assistant";
  content: { type: string; text?: string }[];
}

export interface ChatPage {
  chats: Chat[];
  nextCursor: string | null;
}

export interface ChatWithMessages extends Chat {
  messages: Message[];
  nextCursor: string | null;
}

export interface FileInfo {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
  path?: string;
}

export interface Ask {
  askId: string;
  runId: string;
  chatId?: string;
  kind: "approval" | "question";
  tool: string;
  args?: unknown;
  question?: string;
  options?: string[];
  status: "open" | "answered" | "ended";
  askedAt: number;
}

export interface AskPage {
  asks: Ask[];
  nextCursor: string | null;
}

export interface Answer {
  askId: string;
  decision: "allow" | "deny";
  text?: string;
  remember?: "run" | "chat";
}

export interface AnswersAccepted {
  runId: string;
  status: "running" | "waiting";
  open: number;
}

export interface Agent {
  id: string;
  name: string;
  version: number;
}

export interface Model {
  id: string;
  provider: string;
  name: string;
}

export interface Run {
  id: string;
  status: string;
  lastSeq: number;
}

export interface AgentRun {
  runId: string;
  status: string;
  response?: string;
  files: FileInfo[];
  asks?: Ask[];
  error?: { code: string; message: string };
}

export interface Queued {
  messageId: string;
  position: number;
}

export type RunEvent =
  | { type: "chat"; chatId: string; messageId: string; runId: string; agentId?: string; notice?: string }
  | { type: "run"; runId: string; agentId?: string }
  | { type: "step"; id: string; name: string; status: string; args?: unknown; result?: unknown; error?: string }
  | { type: "delta"; text: string }
  | { type: "thinking"; text: string }
  | { type: "output"; id: string; stream: string; text: string }
  | { type: "usage"; model: string; inputTokens: number; outputTokens: number }
  | { type: "retry"; attempt: number; delayMs: number; code: string; message: string; model?: string }
  | { type: "resumed"; attempt: number }
  | { type: "queued"; position: number }
  | AskEvent
  | { type: "steer"; messageId: string; text: string }
  | { type: "log"; level: string; message: string }
  | { type: "result"; message: string; messageId?: string; files?: FileInfo[]; stopped?: string }
  | { type: "error"; code: string; message: string; messageId?: string }
  | { type: "end"; status: string };

export interface AskEvent {
  type: "ask";
  id: string;
  kind: "approval" | "question";
  tool: string;
  args?: unknown;
  question?: string;
  options?: string[];
}
