export { Agents, Chats, Runs, Satchel, allow, deny, type Page, type Turn } from "./client.js";
export * from "./errors.js";
export { RunEvents, type Result } from "./events.js";
export { Files, type Transfer, type Upload } from "./files.js";
export type { Abortable, Options } from "./http.js";
export type * from "./types.js";
