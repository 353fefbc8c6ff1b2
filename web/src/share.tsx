import { useEffect, useRef, useState } from "react";
import { api } from "./api";
import { copyText } from "./clipboard";
import { formatTime } from "./format";
import { Icon } from "./icons";
import { showError, showToast } from "./toasts";
import type { Share } from "./types";

/** Opens the dialog with which a chat is shared. */
export default function ShareButton({ chatId }: { chatId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        Share
      </button>
      {open && <ShareDialog chatId={chatId} close={() => setOpen(false)} />}
    </>
  );
}

const READERS = { link: "Everybody with the link", tenant: "Everybody of the workspace", user: "One person" };

function ShareDialog({ chatId, close }: { chatId: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shares, setShares] = useState<Share[] | null>(null);
  const [link, setLink] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    api.shares(chatId).then(
      (all) => setShares(all.shares),
      (error: unknown) => showError("The shares of this chat were not read.", error),
    );
  }, [chatId]);
  const share = async (readers: "link" | "tenant") => {
    setBusy(true);
    try {
      const made = await api.share(chatId, readers);
      setShares((all) => [...(all ?? []), made]);
      if (made.url !== undefined) setLink(made.url);
    } catch (error) {
      showError("The chat was not shared.", error);
    } finally {
      setBusy(false);
    }
  };
  const revoke = async (one: Share) => {
    try {
      await api.revokeShare(chatId, one.id);
      setShares((all) => (all ?? []).filter((it) => it.id !== one.id));
      if (one.with === "link") setLink("");
    } catch (error) {
      showError("The share was not revoked.", error);
    }
  };
  return (
    <dialog ref={dialog} className="sheet" aria-label="Share this chat" onClose={close}>
      <header>
        <h2>Share this chat</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <div className="form">
        <p>Others read the messages and files as they are now. What comes later is not shown.</p>
        <div className="actions">
          <button type="button" className="button" disabled={busy} onClick={() => void share("link")}>
            Create a link
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => void share("tenant")}>
            Share with the workspace
          </button>
        </div>
        {link !== "" && <Link url={link} />}
        {shares !== null && shares.length > 0 && (
          <ul className="shares" aria-label="Shares of this chat">
            {shares.map((one) => (
              <li key={one.id}>
                <span>
                  {READERS[one.with]}, since {formatTime(one.createdAt)}
                  {one.until !== null && `, until ${formatTime(one.until)}`}
                </span>
                <button type="button" className="button small" onClick={() => void revoke(one)}>
                  Revoke
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </dialog>
  );
}

/** The server shows a link only once. */
function Link({ url }: { url: string }) {
  const copy = async () => {
    if (await copyText(url)) showToast("The link was copied.");
  };
  return (
    <label>
      Everybody who has this link can read the chat. It is shown only now.
      <span className="shared-link">
        <input readOnly value={url} onFocus={(event) => event.target.select()} />
        <button type="button" className="button small" onClick={() => void copy()}>
          Copy
        </button>
      </span>
    </label>
  );
}
