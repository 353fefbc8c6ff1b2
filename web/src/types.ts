/** What the server says, as its OpenAPI document describes it. */

export interface TextBlock {
  type: "text";
  text: string;
}

export type StepStatus = "running" | "succeeded" | "failed" | "interrupted";

export interface StepBlock {
  type: "step";
  id: string;
  name: string;
  status: StepStatus;
  args?: unknown;
  result?: unknown;
  error?: string;
  durationMs?: number;
  startedAt?: number;
  endedAt?: number;
}

export type EndStatus = "failed" | "cancelled" | "interrupted";

export interface EndBlock {
  type: "end";
  status: EndStatus;
  code: string;
  message: string;
}

export type Block = TextBlock | StepBlock | EndBlock;

export interface FileAttachment {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
}

export interface BagFile extends FileAttachment {
  source: string;
  messageId: string | null;
  createdAt: number;
}

export interface Message {
  id: string;
  role: "user" | "assistant";
  content: Block[];
  fileAttachments?: FileAttachment[];
  runId?: string;
  createdAt: number;
}

export interface Chat {
  id: string;
  title: string | null;
  conversationId: string | null;
  activeRun: { id: string; lastSeq: number } | null;
  messageCount: number;
  createdAt: number;
  updatedAt: number;
}

export interface ChatWithMessages extends Chat {
  messages: Message[];
  nextCursor: string | null;
}

export interface Run {
  id: string;
  chatId: string | null;
  messageId: string | null;
  status: string;
  lastSeq: number;
  startedAt: number;
  endedAt: number | null;
}

export interface Settings {
  version: string;
  runner: "own" | "elsewhere" | "none";
  model: { provider: string; name: string } | null;
  limits: { maxFileBytes: number; maxFiles: number; maxBytes: number };
}

/** A line of a run as a browser gets it; `type` says which other members there are. */
export interface Line {
  type: string;
  ts?: number;
  id?: string;
  name?: string;
  status?: string;
  args?: unknown;
  result?: unknown;
  error?: string;
  durationMs?: number;
  text?: string;
  message?: string;
  level?: string;
  code?: string;
  chatId?: string;
  messageId?: string;
  runId?: string;
  files?: FileAttachment[];
}
