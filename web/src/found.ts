import { ApiError, api, fileUrl } from "./api";
import type { ChatStore } from "./chat-store";
import type { Previewed } from "./preview";
import { showError, showToast } from "./toasts";
import { showVersion } from "./versions";

/** Shows what the address names: scrolls to a message, or opens a file of the chat. */
export async function showFound(store: ChatStore, hash: string, preview: (file: Previewed) => void): Promise<void> {
  const [, kind, id, page] = hash.split("/").map(decodeURIComponent);
  if (store.chatId === null || id === undefined) return;
  try {
    if (kind === "message") await showMessage(store, id);
    else await showFile(store.chatId, id, page, preview);
  } catch (error) {
    showError("It cannot be shown.", error);
  }
}

/** Loads older messages until the message is there. */
async function showMessage(store: ChatStore, id: string): Promise<void> {
  while (!store.snapshot().messages.some((message) => message.id === id)) {
    const { olderCursor } = store.snapshot();
    if (olderCursor === null) return offerVersion(store, id);
    await store.loadOlder();
  }
  await scrollTo(`message-${id}`);
}

/** The message is not on the path that is shown: another version of the chat may have it. */
async function offerVersion(store: ChatStore, id: string): Promise<void> {
  try {
    await api.chatAt(store.chatId ?? "", id, 1);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    showToast("The message is not in this chat any more.");
    return;
  }
  const show = async () => {
    if (await showVersion(store, id)) await showMessage(store, id);
  };
  showToast("The message is in another version of this chat.", {
    label: "Show this version",
    run: () => void show().catch((error: unknown) => showError("It cannot be shown.", error)),
  });
}

const FRAMES = 120;
const STABLE_FRAMES = 6;

/** The thread grows while it is drawn, so this goes on until the element stays in sight. */
async function scrollTo(id: string): Promise<void> {
  let inSight = 0;
  for (let frame = 0; frame < FRAMES && inSight < STABLE_FRAMES; frame++) {
    await new Promise(requestAnimationFrame);
    const element = document.getElementById(id);
    const { top = -1, bottom = -1 } = element?.getBoundingClientRect() ?? {};
    if (bottom > 0 && top >= 0 && top < innerHeight) inSight++;
    else {
      inSight = 0;
      element?.scrollIntoView({ block: "center" });
      element?.focus({ preventScroll: true });
    }
  }
  document.getElementById(id)?.focus({ preventScroll: true });
}

async function showFile(
  chatId: string,
  id: string,
  page: string | undefined,
  preview: (file: Previewed) => void,
): Promise<void> {
  const file = (await api.files(chatId)).files.find((found) => found.id === id);
  if (!file) {
    showToast("The file is not in this chat any more.");
    return;
  }
  const url = fileUrl(chatId, file.id);
  preview({
    ...file,
    url,
    saveUrl: `${url}/save`,
    textUrl: `${url}/text`,
    ...(Number(page) > 0 ? { page: Number(page) } : {}),
  });
}
