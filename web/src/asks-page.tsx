import { useEffect, useState } from "react";
import { Age } from "./age";
import { api } from "./api";
import AskCards from "./asks";
import type { ChatList } from "./chat-list";
import { Page } from "./page";
import { chatAddress, runAddress } from "./router";
import { PageLink } from "./sidebar";
import { showError } from "./toasts";
import type { Answer, Ask, Line } from "./types";

/** What runs of all chats wait for, newest first; it can be answered here. */
export default function AsksPage({ list, openMenu }: { list: ChatList; openMenu: () => void }) {
  const { asks, moreAsks, loaded, reload } = list;
  const titles = useTitles(list);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const open = asks.filter((ask) => !answered.has(keyOf(ask)));
  const answer = async (ask: Ask, given: Answer) => {
    try {
      await api.answer(ask.runId, [given]);
      setAnswered((before) => new Set(before).add(keyOf(ask)));
    } catch (error) {
      showError("The answer was not sent.", error);
    }
    reload();
  };
  return (
    <Page title="Answers needed" openMenu={openMenu}>
      {moreAsks && <p className="notice">These are the newest {asks.length}. Older ones follow when these are answered.</p>}
      {loaded && open.length === 0 && <p className="files-empty">Nothing waits for your answer.</p>}
      <ul className="inbox">
        {open.map((ask) => (
          <li key={keyOf(ask)}>
            <header>
              {ask.chatId === undefined ? (
                <PageLink to={runAddress(ask.runId)}>A run without a chat</PageLink>
              ) : (
                <PageLink to={chatAddress(ask.chatId)}>{titles.get(ask.chatId) ?? "New chat"}</PageLink>
              )}
              <span className="chat-age">
                <Age time={ask.askedAt} />
              </span>
            </header>
            <AskCards asks={[lineOf(ask)]} inChat={ask.chatId !== undefined} answer={(given) => answer(ask, given)} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

const keyOf = (ask: Ask) => `${ask.runId} ${ask.askId}`;

const lineOf = ({ askId, kind, tool, args, question, options }: Ask): Line => ({
  type: "ask",
  id: askId,
  kind,
  tool,
  args,
  question,
  options,
});

/** The titles of chats, also of those that the list does not have. */
function useTitles({ chats, asks }: ChatList): ReadonlyMap<string, string> {
  const [read, setRead] = useState<ReadonlyMap<string, string>>(new Map());
  const listed = new Map(chats.flatMap(({ id, title }) => (title === null ? [] : [[id, title] as const])));
  const missing = [...new Set(asks.flatMap(({ chatId }) => (chatId === undefined || listed.has(chatId) || read.has(chatId) ? [] : [chatId])))];
  useEffect(() => {
    missing.forEach((id) =>
      api.chat(id, null, 1).then(
        ({ title }) => setRead((before) => new Map(before).set(id, title ?? "New chat")),
        () => {}, // it stays without a title
      ),
    );
  }, [missing.join()]);
  return new Map([...read, ...listed]);
}
