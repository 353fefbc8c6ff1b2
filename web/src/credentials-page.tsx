import { useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { CredentialForm, ValueForm } from "./credential-form";
import { credentials, logIn } from "./credentials";
import { formatAge, formatTime } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import { PageLink } from "./sidebar";
import { showError, showToast } from "./toasts";
import type { Credential } from "./types";

type Opened = { dialog: "new" } | { dialog: "replace" | "delete"; credential: Credential };

export default function CredentialsPage({ openMenu }: { openMenu: () => void }) {
  const { all, error, reload } = useCredentials();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = useCallback(() => {
    setOpened(null);
    reload();
  }, [reload]);
  return (
    <Page
      title="Credentials"
      openMenu={openMenu}
      actions={
        <button type="button" className="button small" onClick={() => setOpened({ dialog: "new" })}>
          <Icon name="plus" />
          New credential
        </button>
      }
    >
      <p className="page-lead">
        Tokens and logins that <PageLink to="/agents">agents</PageLink> use at other services. A value is stored encrypted and is
        never shown again; models and sandboxes never see it.
      </p>
      {error && <p className="notice">{error}</p>}
      {all?.map((credential) => (
        <CredentialCard key={credential.name} credential={credential} open={setOpened} />
      ))}
      {all?.length === 0 && <p className="files-empty">No credentials yet.</p>}
      {opened?.dialog === "new" && <CredentialForm close={close} />}
      {opened?.dialog === "replace" && <ValueForm name={opened.credential.name} close={close} />}
      {opened?.dialog === "delete" && <DeleteDialog credential={opened.credential} close={close} />}
    </Page>
  );
}

function useCredentials() {
  const [all, setAll] = useState<Credential[] | null>(null);
  const [error, setError] = useState("");
  const reload = useCallback(() => {
    credentials.list().then(
      (found) => {
        setAll(found);
        setError("");
      },
      (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
    );
  }, []);
  useEffect(() => {
    reload();
    addEventListener("focus", reload); // another tab or a terminal may have connected one
    return () => removeEventListener("focus", reload);
  }, [reload]);
  return { all, error, reload };
}

/** The state in words, and whether it is a good one. */
function stateOf({ kind, problem, connectedAt }: Credential): [string, string] {
  if (kind === "value") return ["Stored", "plain"];
  if (problem === undefined) return ["Connected", "live"];
  return connectedAt === undefined ? ["Needs login", "warn"] : ["Failed", "bad"];
}

function CredentialCard({ credential, open }: { credential: Credential; open: (dialog: Opened) => void }) {
  const { name, kind, problem, agents, expiresAt, connectedAt } = credential;
  const [state, tone] = stateOf(credential);
  const [leaving, setLeaving] = useState(false);
  const connect = () => {
    setLeaving(true);
    logIn(name).catch((error: unknown) => {
      setLeaving(false);
      showError("The login was not started.", error);
    });
  };
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span className={`badge ${tone}`}>{state}</span>
      </header>
      {problem !== undefined && connectedAt !== undefined && <p className="field-error">{problem}</p>}
      <dl className="facts">
        <Fact name="Kind" value={kind === "value" ? "Value" : "Login (OAuth)"} />
        {connectedAt !== undefined && <Time name="Logged in" time={connectedAt} />}
        <Time name={kind === "value" ? "Stored" : "Renewed"} time={kind === "value" || connectedAt !== undefined ? credential.updatedAt : undefined} />
        {expiresAt !== undefined && <Fact name="Access ends" value={formatTime(expiresAt)} />}
        <Fact name="Used by" value={agents.length === 0 ? "no agent" : agents.join(", ")} />
      </dl>
      <div className="actions">
        {kind === "oauth" && (
          <button type="button" className="button small" disabled={leaving} onClick={connect}>
            {connectedAt === undefined ? "Log in" : "Log in again"}
            <span className="visually-hidden"> for {name}</span>
          </button>
        )}
        {kind === "value" && (
          <button type="button" className="button small" onClick={() => open({ dialog: "replace", credential })}>
            Replace value<span className="visually-hidden"> of {name}</span>
          </button>
        )}
        <button type="button" className="button small" onClick={() => open({ dialog: "delete", credential })}>
          Delete<span className="visually-hidden"> {name}</span>
        </button>
      </div>
    </section>
  );
}

function Time({ name, time }: { name: string; time: number | undefined }) {
  if (time === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd title={formatTime(time)}>{formatAge(time, Date.now())}</dd>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function DeleteDialog({ credential, close }: { credential: Credential; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { name, agents } = credential;
  const remove = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await credentials.remove(name);
      showToast(`Deleted “${name}”.`);
    } catch (error) {
      showError("The credential was not deleted.", error);
    }
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} className="sheet" aria-label={`Delete ${name}`} onClose={close}>
      <header>
        <h2>Delete {name}?</h2>
      </header>
      <form className="form" onSubmit={(event) => void remove(event)}>
        <p>
          {agents.length === 0
            ? "No agent uses it. "
            : `${agents.join(", ")} ${agents.length === 1 ? "uses" : "use"} it, and can then no longer reach the service. `}
          Its value cannot be brought back.
        </p>
        <div className="actions">
          <button type="submit" className="button">
            Delete
          </button>
          <button type="button" className="button" autoFocus onClick={() => dialog.current?.close()}>
            Keep
          </button>
        </div>
      </form>
    </dialog>
  );
}
