// Made from the OpenAPI document by schema.mjs: change the document, then run "npm run schema".

export type Problem = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  /** Stable, for programs */
  code: string;
  requestId?: string;
  /** The same as detail */
  error: string;
  statusCode: number;
};

export type TurnRequest = {
  message: string;
  chatId?: string;
  /** The caller's own tenant, when given */
  workspaceId?: string;
  workflowId?: string;
  attachmentIds?: Array<string>;
  /** The client's own id for the message; sent twice it is refused the second time */
  userMessageId?: string;
  onDisconnect?: "cancel" | "continue";
};

export type NewChat = {
  title?: string;
  workflowId?: string;
};

export type NewTitle = {
  title: string;
};

export type Chat = {
  id: string;
  type: string;
  workspaceId: string;
  workflowId: string | null;
  title: string | null;
  /** The user message of the turn in flight, null when free */
  conversationId: string | null;
  activeRun: {
    id: string;
    lastSeq: number;
  } | null;
  messageCount: number;
  /** Unix epoch milliseconds */
  createdAt: number;
  /** Unix epoch milliseconds */
  updatedAt: number;
};

export type ChatPage = {
  chats: Array<Chat>;
  nextCursor: string | null;
};

export type ChatWithMessages = Chat & {
  messages: Array<PersistedMessage>;
  /** Leads to the messages before these */
  nextCursor: string | null;
};

export type PersistedMessage = {
  id: string;
  role: "user" | "assistant";
  content: Array<ContentBlock>;
  fileAttachments?: Array<FileAttachment>;
  runId?: string;
  /** Unix epoch milliseconds */
  createdAt: number;
};

export type ContentBlock = {
  type: "text";
  text: string;
} | {
  type: "step";
  id: string;
  name: string;
  status: "running" | "succeeded" | "failed" | "interrupted";
  args?: unknown;
  result?: unknown;
  error?: string;
  durationMs?: number;
  /** Unix epoch milliseconds */
  startedAt?: number;
  /** Unix epoch milliseconds */
  endedAt?: number;
} | {
  type: "end";
  status: "failed" | "cancelled" | "interrupted";
  code: string;
  message: string;
};

export type FileAttachment = {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
};

export type BagFile = {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
  source: string;
  messageId: string | null;
  /** Unix epoch milliseconds */
  createdAt: number;
};

export type BagFiles = {
  files: Array<BagFile>;
};

export type Cancelled = {
  cancelled: boolean;
};

export type Run = {
  id: string;
  chatId: string | null;
  messageId: string | null;
  agentId: string | null;
  status: string;
  lastSeq: number;
  /** Unix epoch milliseconds */
  startedAt: number;
  endedAt: number | null;
};

/** One line of the run's log: first `chat` or `run`, then `step` and `delta` as the run says them (`log` too, where logs are told), then `result` or `error`, last and once `end` */
export type Event = {
  type: "chat";
  chatId: string;
  messageId: string;
  runId: string;
} | {
  type: "run";
  agentId: string;
  runId: string;
} | {
  type: "step";
  id: string;
  name: string;
  status: "running" | "succeeded" | "failed";
  /** Any JSON */
  args?: unknown;
  /** Any JSON */
  result?: unknown;
  error?: string;
  durationMs?: number;
  /** Unix epoch milliseconds */
  ts?: number;
} | {
  type: "delta";
  text: string;
  /** Unix epoch milliseconds */
  ts?: number;
} | {
  type: "log";
  level: "debug" | "info" | "warn" | "error";
  message: string;
  /** Unix epoch milliseconds */
  ts?: number;
} | {
  type: "result";
  message: string;
  messageId: string;
  files: Array<FileAttachment>;
} | {
  type: "error";
  code: string;
  message: string;
  messageId: string;
} | {
  type: "end";
  status: "succeeded" | "failed" | "cancelled" | "interrupted";
};

export type RunEnvironment = {
  variables: Record<string, string>;
  script: string;
};

export type RunConfig = {
  session_id: string;
  prompt: string;
  conversation: Array<Record<string, unknown>>;
  chat_id?: string;
  workspace_id: string;
  workflow_id?: string;
  system_prompt?: string;
  max_rounds: number;
  model?: Record<string, unknown>;
  network?: Record<string, unknown>;
  assets?: Record<string, unknown>;
};

export type WriteBack = {
  files: Array<{
    id: string;
    name: string;
    mimeType: string;
    size: number;
    sha256: string;
    source: string;
  }>;
  skipped: Array<{
    name: string;
    reason: string;
  }>;
};

export type Me = {
  /** The tenant */
  workspaceId: string;
};

export type ApiKeyRequest = {
  name: string;
  /** Whom the key shall belong to; only the tenant `default` may name another, and makes it so */
  workspaceId?: string;
};

export type ApiKey = {
  id: string;
  name: string;
  /** The tenant */
  workspaceId: string;
  /** Unix epoch milliseconds */
  createdAt: number;
};

export type ApiKeys = {
  keys: Array<ApiKey>;
};

export type NewApiKey = ApiKey & {
  /** The secret */
  key: string;
};

export type LoginLink = {
  url: string;
  /** Unix epoch milliseconds */
  expiresAt: number;
};

export type Live = {
  status: "ok";
};

export type Dependencies = Record<string, "up" | "down">;

export type Ready = {
  status: "ok" | "unavailable";
  dependencies: Dependencies;
};

export type Health = {
  status: "ok" | "unavailable";
  version: string;
  uptimeSeconds: number;
  dependencies: Dependencies;
};

/** Which model to ask; what is absent is the runner's default. Keys are never stored here: `apiKey` is refused */
export type AgentModel = {
  provider?: string;
  name?: string;
  /** http or https, without credentials */
  baseUrl?: string;
};

export type AgentRequest = {
  /** Unique in the workspace */
  name: string;
  systemPrompt?: string;
  model?: AgentModel;
  variables?: Record<string, string>;
  /** Runs in the sandbox before the first round, with the variables set */
  script?: string;
  maxRounds?: number;
  /** What the sandbox may reach; empty means no network */
  allowedHosts?: Array<string>;
};

export type Agent = {
  id: string;
  workspaceId: string;
  /** Unique in the workspace */
  name: string;
  systemPrompt: string;
  model: AgentModel;
  variables: Record<string, string>;
  /** Runs in the sandbox before the first round, with the variables set */
  script: string;
  maxRounds: number;
  /** What the sandbox may reach; empty means no network */
  allowedHosts: Array<string>;
  /** Unix epoch milliseconds */
  createdAt: number;
  /** Unix epoch milliseconds */
  updatedAt: number;
};

export type Agents = {
  agents: Array<Agent>;
};

export type AgentRunRequest = {
  prompt: string;
  /** What becomes of the run when the caller goes away */
  onDisconnect?: "cancel" | "continue";
};

export type AgentRunAnswer = {
  runId: string;
  status: "succeeded" | "failed" | "cancelled" | "interrupted";
  /** The answer; only when the run succeeded */
  response?: string;
  /** What the run handed in */
  files: Array<BagFile>;
  /** Why there is no answer; only when the run did not succeed */
  error?: {
    code: string;
    message: string;
  };
};

export type Asset = {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  sha256: string;
  /** Unix epoch milliseconds */
  createdAt: number;
};

export type Assets = {
  assets: Array<Asset>;
};

export type AssetPage = {
  assets: Array<Asset>;
  /** Leads to the next page; null after the last */
  nextCursor: string | null;
};

export type WorkspaceFile = {
  path: string;
  size: number;
  modifiedAt: string;
};

export type WorkspaceListing = {
  files: Array<WorkspaceFile>;
  source: "sandbox" | "snapshot";
  /** Only in pages */
  nextCursor?: string | null;
};

export type Snapshot = {
  id: string;
  createdAt: string;
  runId: string | null;
  files: number;
  bytes: number;
};

export type Session = {
  id: string;
  tenantId: string;
  agentName: string;
  sandboxId: string;
  status: "active" | "paused" | "stopped" | "ended";
  model?: string | null;
  runnerId?: string | null;
  parentSessionId?: string | null;
  createdAt: string;
  lastActiveAt: string;
};

export type SessionAttachment = {
  id: string;
  tenantId: string;
  /** unlinked until a message takes it up */
  messageId: string;
  sessionId: string;
  filename: string;
  mimeType: string;
  size: number;
  createdAt: string;
};

export type Upload = {
  sessionId: string;
  files: Array<UploadedFile>;
};

export type UploadedFile = {
  fileId: string;
  filename: string;
  mimeType: string;
  size: number;
  sha256: string;
  kind: "image" | "text" | "document" | "binary";
};

export type AgentChatRequest = {
  message: string;
  context?: {
    fileIds?: Array<string>;
  };
  userMessageId?: string;
  onDisconnect?: "cancel" | "continue";
};

export type AgentSession = {
  id: string;
  title: string | null;
  status: "idle" | "running";
  runId: string | null;
  messageCount: number;
  messages: Array<PersistedMessage>;
  files: Array<UploadedFile>;
  createdAt: number;
  updatedAt: number;
};

export type Settings = {
  version: string;
  runner: "own" | "elsewhere" | "none";
  /** What the server's own runner asks; null is the offline agent, or a runner elsewhere */
  model: {
    provider: string;
    name: string;
  } | null;
  limits: {
    maxFileBytes: number;
    maxFiles: number;
    maxBytes: number;
  };
};

export type Use = {
  count: number;
  bytes: number;
};

export type ChatUse = {
  id: string;
  title: string | null;
  /** Deleted, and still there to be brought back */
  deleted: boolean;
  /** All of it together */
  bytes: number;
  files: Use;
  deletedFiles: Use;
  snapshots: Use;
};

export type Storage = {
  /** All of it together */
  bytes: number;
  /** Files of chats */
  files: Use;
  /** Deleted files of chats, and files of deleted chats, whose bytes are still there */
  deletedFiles: Use;
  /** Files that headless runs handed in */
  runFiles: Use;
  /** Snapshots of workspaces, and their packs as stored */
  snapshots: Use;
  /** Assets, deleted ones too until they are swept */
  assets: Use;
  /** Uploads that no chat has claimed, half-received ones included */
  uploads: Use;
  /** Copies of assets that chats have staged */
  staged: Use;
  /** The largest chats, largest first */
  chats: Array<ChatUse>;
  limits: {
    /** One file */
    maxFileBytes: number;
    /** Files of one chat */
    maxFiles: number;
    /** All files of one chat */
    maxBytes: number;
    /** How long an upload waits for the chat that claims it */
    uploadMaxAgeMs: number;
  };
};
