import type { AnswerRequest, CallerInfo, Chat, ChatWithMessages, ContentBlock, PersistedMessage, RunEvent, Storage } from "./schema";

/** The types of the server under the names of this page; all come from the OpenAPI document. */

export type {
  Agent,
  AnswersAccepted,
  Ask,
  AskPage,
  Asset,
  BagFile,
  Chat,
  ChatPage,
  ChatUsage,
  ChatWithMessages,
  Credential,
  DeletedAttachment,
  FileAttachment,
  FileText,
  FileTextPart,
  MessageQueue,
  McpServer,
  Model,
  NotHandedOver,
  QueuedMessage,
  Run,
  RunUsage,
  SearchHit,
  SearchHits,
  Settings,
  Share,
  Skill,
  SkillDetail,
  RestoredSnapshot,
  Snapshot,
  SnapshotComparison,
  SnapshotToRestore,
  StepOutput as OutputPiece,
  TurnRequest,
  Usage,
  UsageReport,
  UsageRow,
  UsageSum,
  WorkspaceFile,
  WorkspaceListing,
} from "./schema";

export type Account = CallerInfo;
export type AccessReset = NonNullable<CallerInfo["reset"]>;
/** What a person changes of a chat. */
export type ChatChange = { title?: string; pinned?: boolean; archived?: boolean };
/** A chat; what it has chosen is known once its thread was read. */
export type ShownChat = Chat & Partial<Pick<ChatWithMessages, "agentId" | "model" | "agentNotice" | "usage">>;
export type Answer = AnswerRequest["answers"][number];
export type Message = PersistedMessage;
export type Block = ContentBlock;
export type TextBlock = Extract<Block, { type: "text" }>;
export type StepBlock = Extract<Block, { type: "step" }>;
export type ThinkingBlock = Extract<Block, { type: "thinking" }>;
export type UsageBlock = Extract<Block, { type: "usage" }>;
export type EndBlock = Extract<Block, { type: "end" }>;
export type StepStatus = StepBlock["status"];
export type EndStatus = EndBlock["status"];
export type StorageUse = Storage;

type MemberOf<T, K extends PropertyKey> = T extends { [key in K]?: infer V } ? V : never;
type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * A line of a run with the members of every kind of event: a newer server may send kinds that this
 * page does not support. `type` determines the members.
 */
export type Line = { type: string } & {
  [K in Exclude<KeysOf<RunEvent>, "type">]?: MemberOf<RunEvent, K>;
};
