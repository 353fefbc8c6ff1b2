import { Suspense, lazy, useCallback, useEffect, useRef, useState, useSyncExternalStore, type MouseEvent } from "react";
import { ApiError, api, onLoggedOut } from "./api";
import { useChatList } from "./chat-list";
import { ChatPage, EmptyPage } from "./chat-page";
import { ChatStore } from "./chat-store";
import { useElsewhere } from "./elsewhere";
import { chatAddress, navigate, parseRoute, usePath } from "./router";
import { Shortcuts } from "./shortcuts";
import { Sidebar } from "./sidebar";
import { store, stored } from "./theme";
import { Toasts } from "./toasts";
import type { Settings } from "./types";

const ConnectPage = lazy(() => import("./connect-page"));
const ConnectElsewhere = lazy(async () => ({ default: (await import("./connect-page")).ConnectElsewhere }));
const TracePage = lazy(() => import("./trace-page"));
const SettingsPage = lazy(() => import("./settings-page"));
const Login = lazy(() => import("./login"));
const AsksPage = lazy(() => import("./asks-page"));
const UsagePage = lazy(() => import("./usage-page"));
const StoragePage = lazy(() => import("./storage-page"));
const AssetsPage = lazy(() => import("./assets-page"));
const AgentsPage = lazy(() => import("./agents-page"));
const CredentialsPage = lazy(() => import("./credentials-page"));
const SkillsPage = lazy(() => import("./skills-page"));

type Session = "unknown" | "in" | "out";

export function App() {
  const [session, setSession] = useState<Session>("unknown");
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    const leave = onLoggedOut(() => setSession("out"));
    const stop = readSettings(setSettings, () => setSession((now) => (now === "out" ? now : "in")));
    return () => {
      leave();
      stop();
    };
  }, []);
  if (session === "out") return <Outside />;
  if (session === "unknown" && parseRoute(location.pathname).page === "connect") return null; // its code is used only once
  return <Shell settings={settings} />;
}

const SETTINGS_RETRY_MILLIS = 2_000;
const MAX_SETTINGS_RETRY_MILLIS = 60_000;

/** Reads the settings until they are there or the person must log in; `notOut` once it is known that they need not. */
function readSettings(found: (settings: Settings) => void, notOut: () => void): () => void {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (wait: number) => {
    try {
      const settings = await api.settings();
      if (stopped.signal.aborted) return;
      found(settings);
      notOut();
    } catch (error) {
      if (stopped.signal.aborted || (error instanceof ApiError && error.status === 401)) return;
      notOut();
      timer = setTimeout(() => void read(Math.min(2 * wait, MAX_SETTINGS_RETRY_MILLIS)), wait);
    }
  };
  void read(SETTINGS_RETRY_MILLIS);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}

/** What a browser without a session sees. */
function Outside() {
  if (parseRoute(location.pathname).page !== "connect" || !location.search.includes("code=")) return (
      <Suspense>
        <Login />
      </Suspense>
    );
  return (
    <Suspense fallback={null}>
      <ConnectElsewhere />
    </Suspense>
  );
}

function Shell({ settings }: { settings: Settings | null }) {
  const route = parseRoute(usePath());
  const list = useChatList();
  const online = useOnline();
  const [menu, setMenu] = useState(false);
  const chatId = route.page === "chat" ? route.chatId : null;
  const chat = useChatStore(route.page === "chat", chatId, list.reload);
  useElsewhere(list, chatId);
  const { collapsed, collapse } = useCollapsed();
  const openMenu = useCallback(() => {
    setMenu(true);
    collapse(false);
  }, [collapse]);
  const { change } = list;
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.key === "Escape") setMenu(false);
      if (event.ctrlKey && !event.shiftKey && event.key.toLowerCase() === "b") {
        event.preventDefault();
        collapse();
      }
      if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "o") {
        event.preventDefault();
        navigate("/");
      }
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [collapse]);
  return (
    <div className={collapsed ? "shell collapsed" : "shell"}>
      <a className="skip" href="#main" onClick={skip}>
        Skip the list of chats
      </a>
      <Sidebar
        list={list}
        chatId={chatId}
        page={route.page}
        open={menu}
        show={openMenu}
        close={() => setMenu(false)}
        collapse={collapse}
      />
      {menu && <div className="scrim" onClick={() => setMenu(false)} />}
      <Suspense fallback={<main className="chat" />}>
        {chat && (
          <ChatPage
            key={chat.key}
            store={chat.store}
            settings={settings}
            online={online}
            listed={list.chats.find(({ id }) => id === chatId)}
            change={change}
            openMenu={openMenu}
          />
        )}
        {route.page === "run" && <TracePage key={route.runId} runId={route.runId} openMenu={openMenu} />}
        {route.page === "settings" && <SettingsPage settings={settings} openMenu={openMenu} />}
        {route.page === "connect" && <ConnectPage openMenu={openMenu} />}
        {route.page === "asks" && <AsksPage list={list} openMenu={openMenu} />}
        {route.page === "usage" && <UsagePage openMenu={openMenu} />}
        {route.page === "storage" && <StoragePage openMenu={openMenu} />}
        {route.page === "assets" && <AssetsPage openMenu={openMenu} />}
        {route.page === "agents" && <AgentsPage openMenu={openMenu} />}
        {route.page === "credentials" && <CredentialsPage openMenu={openMenu} />}
        {route.page === "skills" && <SkillsPage openMenu={openMenu} />}
        {route.page === "unknown" && (
          <EmptyPage title="No such page" text="There is no page at this address." openMenu={openMenu} />
        )}
      </Suspense>
      <Toasts />
      <Shortcuts />
    </div>
  );
}

/** Whether the list of chats is hidden where it has space. */
function useCollapsed() {
  const [collapsed, setCollapsed] = useState(() => stored("sidebar") === "closed");
  const collapse = useCallback((to?: unknown) => setCollapsed((now) => (typeof to === "boolean" ? to : !now)), []);
  useEffect(() => store("sidebar", collapsed ? "closed" : null), [collapsed]);
  return { collapsed, collapse };
}

/** To the message that is written, or to the page. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("main textarea, main .page-body")?.focus();
}

interface Opened {
  key: number;
  store: ChatStore;
}

/** One store for the visible chat; a new chat keeps its store when it gets its id. */
function useChatStore(isShown: boolean, chatId: string | null, changed: () => void): Opened | null {
  const opened = useRef<Opened | null>(null);
  const [, redraw] = useState(0);
  const current = opened.current;
  if (isShown && (!current || current.store.chatId !== chatId)) {
    const created = (id: string) => {
      navigate(chatAddress(id), true);
      redraw((count) => count + 1);
    };
    opened.current = {
      key: (current?.key ?? 0) + 1,
      store: new ChatStore(chatId, created, changed),
    };
  }
  const store = opened.current?.store;
  useEffect(() => {
    if (!isShown) return;
    return () => {
      store?.dispose();
      if (opened.current?.store === store) opened.current = null;
    };
  }, [isShown, store]);
  return isShown ? opened.current : null;
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("online", listener);
      addEventListener("offline", listener);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
}
