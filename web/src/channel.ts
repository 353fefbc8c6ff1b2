/** Tells this browser's other tabs that a turn began, so that they can follow it at once. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("satchel") : null;

export function announceTurn(chatId: string): void {
  channel?.postMessage(chatId);
}

export function onTurnElsewhere(listener: (chatId: string) => void): () => void {
  const hear = (event: MessageEvent) => listener(String(event.data));
  channel?.addEventListener("message", hear);
  return () => channel?.removeEventListener("message", hear);
}
