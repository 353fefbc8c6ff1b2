import { finalContent, type Fold } from "./fold";
import type { EndStatus, FileAttachment, Message, NotHandedOver } from "./types";

/** An active run, as far as its events have arrived. */
export interface Live {
  runId: string | null;
  userMessageId: string;
  fold: Fold;
  files: FileAttachment[];
  notHandedOver?: NotHandedOver[] | undefined;
  workspace?: "pending" | undefined;
  startedAt: number;
  stopping: boolean;
  /** The ids of what the run waits for; null while it runs. */
  waitsFor: readonly string[] | null;
  /** Why there is no answer, from its event to the end. */
  failure: Failure | null;
}

export interface Failure {
  code: string;
  message: string;
}

/** The answer of a run that has ended. */
export function endedMessage(live: Live, status: string): Message {
  const { failure } = live;
  const end = failure ? { type: "end" as const, status: status as EndStatus, ...failure } : undefined;
  return {
    id: `live-${live.userMessageId}`,
    role: "assistant",
    content: finalContent(live.fold, end),
    ...(live.files.length > 0 ? { fileAttachments: live.files } : {}),
    ...(live.notHandedOver ? { notHandedOver: live.notHandedOver } : {}),
    ...(live.workspace ? { workspace: live.workspace } : {}),
    ...(live.runId ? { runId: live.runId } : {}),
    createdAt: Date.now(),
  };
}
