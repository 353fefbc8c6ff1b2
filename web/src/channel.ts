/** Notifies the other tabs of this browser that a turn began, so that they follow it. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("satchel") : null;

export function announceTurn(chatId: string): void {
  channel?.postMessage(chatId);
}

export function onTurnElsewhere(listener: (chatId: string) => void): () => void {
  const handler = (event: MessageEvent) => listener(String(event.data));
  channel?.addEventListener("message", handler);
  return () => channel?.removeEventListener("message", handler);
}
