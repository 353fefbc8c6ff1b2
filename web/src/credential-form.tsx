import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { credentials, logIn, type NewCredential } from "./credentials";
import { Field, OtherError, fieldErrorOf, type FieldError } from "./field";
import { Icon } from "./icons";
import { showError, showToast } from "./toasts";

type Kind = "value" | "oauth";

const KINDS: [Kind, string][] = [
  ["value", "A value"],
  ["oauth", "A login (OAuth)"],
];

/** The optional settings of a service that describes itself nowhere. */
const SETTINGS: [string, string, string][] = [
  ["authorizationUrl", "Login address", "where a person logs in"],
  ["tokenUrl", "Token address", "where tokens come from"],
  ["clientId", "Client id", "if you registered a client at the service"],
  ["clientSecret", "Client secret", ""],
  ["scopes", "Scopes", "separated by spaces"],
];

const FIELDS = ["name", "value", "oauth.resource", ...SETTINGS.map(([setting]) => `oauth.${setting}`)];

/** The inputs are not kept in state, so that a secret is gone with the dialog. */
export function CredentialForm({ close }: { close: () => void }) {
  const [kind, setKind] = useState<Kind>("value");
  const [error, setError] = useState<FieldError | null>(null);
  const save = async (form: FormData, done: () => void) => {
    const credential = requestOf(kind, form);
    try {
      await credentials.create(credential);
    } catch (failure) {
      setError(fieldErrorOf(failure));
      return;
    }
    done();
    showToast(`Stored “${credential.name}”.`);
    if (kind === "oauth") logIn(credential.name).catch((failure: unknown) => showError("The login was not started.", failure));
  };
  return (
    <Sheet title="New credential" close={close} save={save} action={kind === "value" ? "Save" : "Save and log in"}>
      <Field label="Name" hint="small letters, digits, - . _" field="name" error={error}>
        {(attributes) => <input name="name" required maxLength={64} autoComplete="off" {...attributes} />}
      </Field>
      <fieldset className="segmented">
        <legend className="visually-hidden">Kind</legend>
        {KINDS.map(([one, label]) => (
          <label key={one}>
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {kind === "value" ? <ValueField error={error} /> : <ServiceFields error={error} />}
      <OtherError error={error} fields={FIELDS} />
    </Sheet>
  );
}

/** Replaces the value of a credential. */
export function ValueForm({ name, close }: { name: string; close: () => void }) {
  const [error, setError] = useState<FieldError | null>(null);
  const save = async (form: FormData, done: () => void) => {
    try {
      await credentials.replace(name, String(form.get("value")));
    } catch (failure) {
      setError(fieldErrorOf(failure));
      return;
    }
    done();
    showToast(`Replaced the value of “${name}”. Runs use it from now on.`);
  };
  return (
    <Sheet title={`Replace the value of ${name}`} close={close} save={save} action="Replace">
      <ValueField error={error} />
      <OtherError error={error} fields={FIELDS} />
    </Sheet>
  );
}

function ValueField({ error }: { error: FieldError | null }) {
  return (
    <Field label="Value" hint="a token or a key; it is never shown again" field="value" error={error}>
      {(attributes) => <input name="value" type="password" required maxLength={16384} autoComplete="off" {...attributes} />}
    </Field>
  );
}

function ServiceFields({ error }: { error: FieldError | null }) {
  return (
    <>
      <Field label="Address" hint="of the MCP server; the login is found there" field="oauth.resource" error={error}>
        {(attributes) => <input name="resource" inputMode="url" placeholder="https://" autoComplete="off" {...attributes} />}
      </Field>
      <details open={error?.field.startsWith("oauth") || undefined}>
        <summary>The service does not describe its login</summary>
        <div className="fields">
          {SETTINGS.map(([setting, label, hint]) => (
            <Field key={setting} label={label} hint={hint} field={`oauth.${setting}`} error={error}>
              {(attributes) => (
                <input
                  name={setting}
                  type={setting === "clientSecret" ? "password" : "text"}
                  autoComplete="off"
                  {...attributes}
                />
              )}
            </Field>
          ))}
        </div>
      </details>
    </>
  );
}

function requestOf(kind: Kind, form: FormData): NewCredential {
  const text = (field: string) => String(form.get(field) ?? "").trim();
  if (kind === "value") return { name: text("name"), value: text("value") };
  const optional = (field: string) => (text(field) === "" ? undefined : text(field));
  return {
    name: text("name"),
    oauth: {
      resource: optional("resource"),
      authorizationUrl: optional("authorizationUrl"),
      tokenUrl: optional("tokenUrl"),
      clientId: optional("clientId"),
      clientSecret: optional("clientSecret"),
      scopes: text("scopes").split(/[\s,]+/).filter((scope) => scope !== ""),
    },
  };
}

interface SheetProps {
  title: string;
  action: string;
  /** Calls `done` when the form is no longer needed. */
  save: (form: FormData, done: () => void) => Promise<void>;
  close: () => void;
  children: ReactNode;
}

function Sheet({ title, action, save, close, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [saving, setSaving] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving(true);
    void save(new FormData(event.currentTarget), () => dialog.current?.close()).finally(() => setSaving(false));
  };
  return (
    <dialog ref={dialog} className="sheet" aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <form className="form" onSubmit={submit}>
        {children}
        <button type="submit" className="button primary" disabled={saving}>
          {action}
        </button>
      </form>
    </dialog>
  );
}
