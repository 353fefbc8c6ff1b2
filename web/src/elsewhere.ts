import { useEffect, useRef } from "react";
import type { ChatList } from "./chat-list";
import { notify } from "./notify";
import { chatAddress } from "./router";
import { markElsewhere } from "./title";
import type { Ask } from "./types";

const keyOf = (ask: Ask) => `${ask.runId} ${ask.askId}`;

/** Tells a person who looks elsewhere what other chats than the shown one ask, and that their turns have ended. */
export function useElsewhere({ chats, asks, loaded }: ChatList, shownId: string | null): void {
  const before = useRef<{ asks: Set<string>; running: Set<string> } | null>(null);
  useEffect(() => {
    if (!loaded) return;
    const was = before.current;
    const waiting = new Set(asks.map((ask) => ask.chatId));
    before.current = {
      asks: new Set(asks.map(keyOf)),
      running: new Set(chats.filter((chat) => chat.conversationId !== null).map(({ id }) => id)),
    };
    if (!was || !document.hidden) return;
    const others = chats.filter(({ id }) => id !== shownId);
    const ended = others.filter((chat) => was.running.has(chat.id) && chat.conversationId === null && !waiting.has(chat.id));
    const asked = asks.filter((ask) => !was.asks.has(keyOf(ask)) && (ask.chatId === undefined || ask.chatId !== shownId));
    markElsewhere({ asks: asked.length > 0, ended: ended.length > 0 });
    ended.forEach((chat) => notify(chat.title ?? "New chat", "The turn has ended.", chatAddress(chat.id)));
    asked.forEach(({ chatId }) => {
      const title = chats.find(({ id }) => id === chatId)?.title;
      notify(title ?? "Satchel", "Satchel waits for your answer.", "/asks");
    });
  }, [chats, asks, loaded, shownId]);
}
