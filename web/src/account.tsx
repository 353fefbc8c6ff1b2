import { useEffect, useState, type FormEvent } from "react";
import { ApiError, api } from "./api";
import { formatTime } from "./format";
import { showToast } from "./toasts";
import type { Account, AccessReset } from "./types";

const SEEN_RESET = "satchel-seen-reset";

/** Somebody else may have signed in as this person, who sees it until they have read it. */
export function ResetNotice() {
  const [reset, setReset] = useState<AccessReset | null>(null);
  useEffect(() => {
    api.me().then(
      (me) => setReset(me.reset && localStorage.getItem(SEEN_RESET) !== String(me.reset.at) ? me.reset : null),
      () => setReset(null), // the next load of the page asks again
    );
  }, []);
  if (reset === null) return null;
  const read = () => {
    localStorage.setItem(SEEN_RESET, String(reset.at));
    setReset(null);
  };
  return (
    <div className="open-asks" role="status">
      <span>
        {reset.name ?? "An owner"} made a link on {formatTime(reset.at)} that signs in as you. If you did not ask for it, change your
        password in the settings.
      </span>
      <button type="button" className="button small" onClick={read}>
        OK
      </button>
    </div>
  );
}

/** Who is signed in, and the password of those who have an address to sign in with. */
export function AccountCard() {
  const [me, setMe] = useState<Account | null>(null);
  useEffect(() => {
    api.me().then(setMe, () => setMe(null));
  }, []);
  if (me === null) return null;
  return (
    <section className="card">
      <h2>Account</h2>
      <p>
        <strong>{me.name}</strong> {me.email && `(${me.email})`} is {me.role} of the workspace {me.workspaceId}.
      </p>
      {me.email && <PasswordForm />}
    </section>
  );
}

function PasswordForm() {
  const [before, setBefore] = useState("");
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.setPassword(next, before);
      setBefore("");
      setNext("");
      setProblem("");
      showToast("The password was changed. Other browsers are signed out.");
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "The server cannot be reached.");
    }
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <label>
        Password before
        <input type="password" autoComplete="current-password" maxLength={200} value={before} onChange={(event) => setBefore(event.target.value)} />
      </label>
      <label>
        New password
        <input type="password" autoComplete="new-password" required minLength={10} maxLength={200} value={next} onChange={(event) => setNext(event.target.value)} />
      </label>
      {problem !== "" && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="button">
        Change the password
      </button>
    </form>
  );
}
