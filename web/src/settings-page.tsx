import { useState } from "react";
import { AccountCard } from "./account";
import { request } from "./api";
import { formatSize } from "./format";
import { askForNotifications, canNotify, stopNotifications, wantsNotifications } from "./notify";
import { Page } from "./page";
import { chooseTheme, useTheme, type Theme } from "./theme";
import type { Settings } from "./types";

const THEMES: Theme[] = ["system", "light", "dark"];

export default function SettingsPage({ settings, openMenu }: { settings: Settings | null; openMenu: () => void }) {
  return (
    <Page title="Settings" openMenu={openMenu}>
      <section className="card">
        <h2>Appearance</h2>
        <ThemeChoice />
      </section>
      <section className="card">
        <h2>Notifications</h2>
        <NotificationChoice />
      </section>
      <section className="card">
        <h2>Model</h2>
        {settings && <Model settings={settings} />}
      </section>
      <AccountCard />
      {settings && <Limits settings={settings} />}
      <section className="card">
        <h2>This server</h2>
        <p>
          Satchel {settings?.version}. The API is described at <a href="/docs">/docs</a>.
        </p>
        <button type="button" className="button" onClick={() => void logOut()}>
          Log out
        </button>
      </section>
    </Page>
  );
}

async function logOut(): Promise<void> {
  const response = await request("/logout", { method: "POST" });
  // a person who has signed in at a provider signs out there too
  location.assign(response.status === 200 ? ((await response.json()) as { url: string }).url : "/");
}

function ThemeChoice() {
  const theme = useTheme();
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={theme === one} onChange={() => chooseTheme(one)} />
          <span>{one[0]?.toUpperCase() + one.slice(1)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The browser asks the person; what it answered can be changed only in its own settings. */
function NotificationChoice() {
  const [on, setOn] = useState(wantsNotifications);
  const [refused, setRefused] = useState(false);
  if (!canNotify()) return <p>This browser shows notifications only of pages over HTTPS.</p>;
  const change = async () => {
    if (on) {
      stopNotifications();
      setOn(false);
      return;
    }
    const allowed = await askForNotifications();
    setOn(allowed);
    setRefused(!allowed);
  };
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={on} onChange={() => void change()} />
        Tell me when a turn ends or asks me something while I look elsewhere
      </label>
      {refused && <p className="field-error" role="alert">The browser does not allow notifications of this page.</p>}
    </>
  );
}

function Model({ settings }: { settings: Settings }) {
  if (settings.runner === "none")
    return <p>Turns are refused: {settings.runnerProblem ?? "the server was started without a runner. Set SANDBOX_URL."}</p>;
  if (settings.runner === "elsewhere")
    return <p>A runner elsewhere answers messages; its own settings choose the model.</p>;
  if (settings.model)
    return (
      <p>
        <strong>{settings.model.name}</strong> by {settings.model.provider}.
      </p>
    );
  return (
    <>
      <p>
        No model is configured, so the <strong>offline agent</strong> answers. It runs every line of a message that
        begins with one of these:
      </p>
      <dl className="commands">
        {COMMANDS.map(([command, what]) => (
          <div key={command}>
            <dt>
              <code>{command}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        Files in the folder <code>assets/</code> of the workspace come back to the chat.
      </p>
      <p>
        For a model, start the server with <code>ANTHROPIC_API_KEY</code>, <code>OPENAI_API_KEY</code> or{" "}
        <code>OPENAI_BASE_URL</code> set, and choose it with <code>SATCHEL_MODEL</code>.
      </p>
    </>
  );
}

const COMMANDS: [string, string][] = [
  ["/sh CMD", "runs a shell command in the sandbox"],
  ["/view PATH", "shows a file or directory"],
  ["/grep PATTERN [PATH]", "searches files"],
  ["/write PATH", "writes the rest of the message to a file"],
  ["/assets TEXT", "lists the assets whose names contain the text"],
  ["/stage ASSET_ID", "copies an asset into the workspace"],
  ["/sleep SECONDS", "waits"],
];

function Limits({ settings }: { settings: Settings }) {
  const { maxFileBytes, maxFiles, maxBytes } = settings.limits;
  return (
    <section className="card">
      <h2>Limits</h2>
      <dl className="facts">
        <div>
          <dt>One file</dt>
          <dd>{formatSize(maxFileBytes)}</dd>
        </div>
        <div>
          <dt>Files in a chat</dt>
          <dd>{maxFiles}</dd>
        </div>
        <div>
          <dt>All files of a chat</dt>
          <dd>{formatSize(maxBytes)}</dd>
        </div>
      </dl>
    </section>
  );
}
