import { useCallback, useEffect, useRef, useState } from "react";
import { formatAge, formatSize, formatTime } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import { PageLink } from "./sidebar";
import { archiveUrl, skills } from "./skills";
import { showError, showToast } from "./toasts";
import type { Skill, SkillDetail } from "./types";

export default function SkillsPage({ openMenu }: { openMenu: () => void }) {
  const { all, error, reload } = useSkills();
  const [busy, setBusy] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const upload = async (files: FileList | null) => {
    const archive = files?.[0];
    if (!archive) return;
    setBusy(true);
    try {
      const stored = await skills.upload(archive);
      showToast(`Stored “${stored.name}”, version ${stored.version}.`);
      reload();
    } catch (failure) {
      showError("The skill was not stored.", failure);
    } finally {
      setBusy(false);
      if (picker.current) picker.current.value = ""; // so that the same file can be chosen again
    }
  };
  const remove = async (skill: Skill) => {
    try {
      await skills.remove(skill.name);
      showToast(`Deleted “${skill.name}”.`);
      reload();
    } catch (failure) {
      showError("The skill was not deleted.", failure);
    }
  };
  return (
    <Page
      title="Skills"
      openMenu={openMenu}
      actions={
        <button type="button" className="button small" disabled={busy} onClick={() => picker.current?.click()}>
          <Icon name="plus" />
          {busy ? "Storing…" : "Add a skill"}
        </button>
      }
    >
      <p className="page-lead">
        Instructions and scripts that <PageLink to="/agents">agents</PageLink> read when a task needs them: a zip, tar or tar.gz with
        a <code>SKILL.md</code>. The same name again is a new version, which agents use from their next run on.
      </p>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".zip,.tar,.gz,.tgz"
        aria-label="Archive of a skill"
        onChange={(event) => void upload(event.target.files)}
      />
      {error && <p className="notice">{error}</p>}
      {all?.map((skill) => (
        <SkillCard key={skill.name} skill={skill} remove={() => void remove(skill)} />
      ))}
    </Page>
  );
}

function useSkills() {
  const [all, setAll] = useState<Skill[] | null>(null);
  const [error, setError] = useState("");
  const reload = useCallback(() => {
    skills.list().then(
      (found) => {
        setAll(found);
        setError("");
      },
      (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
    );
  }, []);
  useEffect(reload, [reload]);
  return { all, error, reload };
}

function SkillCard({ skill, remove }: { skill: Skill; remove: () => void }) {
  const { name, description, version, builtIn, files, bytes, createdAt } = skill;
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span className={`badge ${builtIn ? "plain" : "live"}`}>{builtIn ? "Comes with Satchel" : `Version ${version}`}</span>
        <a className="icon-button small" href={archiveUrl(name)} download aria-label={`Download ${name}`}>
          <Icon name="download" />
        </a>
        {!builtIn && (
          <button type="button" className="icon-button small" aria-label={`Delete ${name}`} onClick={remove}>
            <Icon name="trash" />
          </button>
        )}
      </header>
      <p>{description}</p>
      <p className="chip-size">
        {files === 1 ? "1 file" : `${files} files`}, {formatSize(bytes)}
        {createdAt !== undefined && (
          <>
            , <time title={formatTime(createdAt)}>{formatAge(createdAt, Date.now())}</time>
          </>
        )}
      </p>
      <Instructions key={`${version}-${builtIn}`} name={name} />
    </section>
  );
}

/** Loaded when a person opens them. */
function Instructions({ name }: { name: string }) {
  const [detail, setDetail] = useState<SkillDetail | null>(null);
  const load = () => {
    if (!detail) skills.get(name).then(setDetail, (error: unknown) => showError("The skill was not loaded.", error));
  };
  return (
    <details onToggle={load}>
      <summary>
        Instructions<span className="visually-hidden"> of {name}</span>
      </summary>
      {detail && (
        <>
          <pre tabIndex={0}>{detail.instructions}</pre>
          <ul className="chip-size">
            {detail.entries.map((entry) => (
              <li key={entry.path}>
                {entry.path}, {formatSize(entry.size)}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
