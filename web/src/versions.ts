import type { ChatStore } from "./chat-store";
import { chatAddress, navigate } from "./router";
import { showError, showToast } from "./toasts";

const BUSY = "A turn is running. Stop it, or wait for its end, to see another version.";

/** Shows the path through another message, and offers the way back when the files have changed; false if it is not shown. */
export async function showVersion(store: ChatStore, id: string): Promise<boolean> {
  if (store.snapshot().live) {
    showToast(BUSY);
    return false;
  }
  const before = store.snapshot().messages.at(-1)?.id;
  try {
    const undo = await store.switchTo(id);
    if (undo && before !== undefined) {
      showToast("The files are those of this version.", { label: "Go back", run: () => void showVersion(store, before) });
    }
    return true;
  } catch (error) {
    showError("The other version was not opened.", error);
    return false;
  }
}

/** Opens a new chat with the messages up to one, and the files of then. */
export function fork(store: ChatStore, id: string): void {
  store.fork(id).then(
    (chat) => navigate(chatAddress(chat)),
    (error: unknown) => showError("The chat was not forked.", error),
  );
}
