import { useCallback, useEffect, type RefObject } from "react";
import { api } from "./api";
import { onTurnElsewhere } from "./channel";
import type { ChatStore } from "./chat-store";
import type { ComposerHandle } from "./composer";
import type { Previewed } from "./preview";
import { showQuestion, showToast } from "./toasts";
import type { Settings } from "./types";
import type { Chosen } from "./upload";

/** More files than this are attached only after a confirmation. */
const CONFIRM_ABOVE = 50;

/** Attaches files; many at once only after a confirmation. */
export function useAttach(
  store: ChatStore,
  settings: Settings | null,
  composer: RefObject<ComposerHandle | null>,
): (files: Chosen[]) => void {
  const { maxFileBytes = Infinity, maxFiles = Infinity } = settings?.limits ?? {};
  return useCallback(
    (files: Chosen[]) => {
      const add = () => {
        store.uploads.add(files, maxFileBytes);
        composer.current?.focus();
      };
      if (files.length > maxFiles)
        showToast(`These are ${files.length} files, and a chat holds ${maxFiles}. None was attached.`);
      else if (files.length > CONFIRM_ABOVE) showQuestion(`Attach ${files.length} files? None is attached yet.`, { label: "Attach all", run: add });
      else add();
    },
    [store, composer, maxFileBytes, maxFiles],
  );
}

/** Reads the thread and the files that wait for a message; follows turns of other tabs. */
export function useOpened(store: ChatStore, composer: RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    void store.refresh();
    if (store.chatId) {
      const { chatId } = store;
      void api.files(chatId).then(({ files }) => store.uploads.restore(chatId, files), () => {});
    }
    composer.current?.focus();
    const refresh = () => {
      if (!document.hidden) void store.refresh();
    };
    addEventListener("focus", refresh);
    const timer = setInterval(refresh, 15_000);
    const leave = onTurnElsewhere((chatId) => {
      if (chatId === store.chatId) void store.refresh();
    });
    return () => {
      removeEventListener("focus", refresh);
      clearInterval(timer);
      leave();
    };
  }, [store, composer]);
}

/** A hit of the search is an address with a message or a file. */
export function useFound(store: ChatStore, ready: boolean, hash: string, preview: (file: Previewed) => void): void {
  useEffect(() => {
    if (!ready || !/^#\/(message|found)\//.test(hash)) return;
    void import("./found").then(({ showFound }) => showFound(store, hash, preview));
  }, [store, ready, hash, preview]);
}

export function useKeys(composer: RefObject<ComposerHandle | null>, busy: boolean, stop: () => void): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (document.querySelector("dialog:modal, :popover-open")) return;
      const writing = (event.target as Element).closest("input, textarea, select");
      if (event.key === "Escape" && event.shiftKey) composer.current?.focus();
      else if (event.key === "Escape" && busy) stop();
      else if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        composer.current?.focus();
      }
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [composer, busy, stop]);
}

