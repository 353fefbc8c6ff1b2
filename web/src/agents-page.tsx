import { useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError, getJson, sendJson } from "./api";
import { Field, OtherError, fieldErrorIn, type FieldError } from "./field";
import { Icon } from "./icons";
import { McpServerFields, draftsOf, duplicateIn, serverPaths, serversOf } from "./mcp-servers";
import { Markdown } from "./markdown-text";
import { Page } from "./page";
import { runAddress } from "./router";
import { Pairs, filled, repeated, type Pair } from "./rows";
import { SkillsField } from "./skills-field";
import { PageLink } from "./sidebar";
import { showToast, showError } from "./toasts";
import { useModels } from "./models";
import type { Agent, Model } from "./types";

type Fields =
  | "name"
  | "systemPrompt"
  | "model"
  | "variables"
  | "script"
  | "allowedHosts"
  | "tools"
  | "permissions"
  | "mcpServers"
  | "skills";

/** The fields of an agent that people edit. */
type Draft = Pick<Agent, Fields> & { id: string | null; maxRounds: number | undefined };

const NEW: Draft = {
  id: null,
  name: "",
  systemPrompt: "",
  model: {},
  variables: {},
  script: "",
  maxRounds: undefined,
  allowedHosts: [],
  permissions: {},
  mcpServers: {},
  skills: [],
};

const agentUrl = (id: string) => `/api/agents/${encodeURIComponent(id)}`;

export default function AgentsPage({ openMenu }: { openMenu: () => void }) {
  const { agents, missing, reload } = useAgents();
  const [edited, setEdited] = useState<Draft | null>(null);
  const remove = async (agent: Agent) => {
    try {
      await sendJson("DELETE", agentUrl(agent.id));
      showToast(`Deleted “${agent.name}”.`);
      reload();
    } catch (error) {
      showError("The agent was not deleted.", error);
    }
  };
  return (
    <Page
      title="Agents"
      openMenu={openMenu}
      actions={
        <>
          <PageLink to="/skills" className="button small">
            Skills
          </PageLink>
          <PageLink to="/credentials" className="button small">
            Credentials
          </PageLink>
          <button type="button" className="button small" onClick={() => setEdited(NEW)}>
            <Icon name="plus" />
            New agent
          </button>
        </>
      }
    >
      <p className="page-lead">Saved definitions that run without a chat: instructions, model, variables and allowed hosts.</p>
      {missing && <p className="notice">This server has no agents.</p>}
      {agents.map((agent) => (
        <AgentCard key={agent.id} agent={agent} edit={() => setEdited(agent)} remove={() => void remove(agent)} />
      ))}
      {agents.length === 0 && !missing && <p className="files-empty">No agents yet.</p>}
      {edited && (
        <Editor
          draft={edited}
          close={() => {
            setEdited(null);
            reload();
          }}
        />
      )}
    </Page>
  );
}

interface Answer {
  runId: string;
  status: string;
  response?: string;
  error?: { message: string };
}

function AgentCard({ agent, edit, remove }: { agent: Agent; edit: () => void; remove: () => void }) {
  const [prompt, setPrompt] = useState("");
  const [running, setRunning] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    setAnswer(null);
    try {
      setAnswer(await sendJson<Answer>("POST", `${agentUrl(agent.id)}/runs`, { prompt, onDisconnect: "continue" }));
    } catch (error) {
      showError("The run was not started.", error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <section className="card">
      <header>
        <h2>{agent.name}</h2>
        <button type="button" className="icon-button small" aria-label={`Edit ${agent.name}`} onClick={edit}>
          <Icon name="edit" />
        </button>
        <button type="button" className="icon-button small" aria-label={`Delete ${agent.name}`} onClick={remove}>
          <Icon name="trash" />
        </button>
      </header>
      {agent.systemPrompt !== "" && <p className="clamp">{agent.systemPrompt}</p>}
      <form className="run-form" onSubmit={(event) => void run(event)}>
        <input
          aria-label={`Prompt for ${agent.name}`}
          placeholder="What should it do?"
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
        <button type="submit" className="button" disabled={running || prompt.trim() === ""}>
          {running ? "Running…" : "Run"}
        </button>
      </form>
      {answer && (
        <div className="answer">
          {answer.response !== undefined ? (
            <Markdown text={answer.response} live={false} />
          ) : (
            <p>
              {answer.status}: {answer.error?.message}
            </p>
          )}
          <PageLink to={runAddress(answer.runId)} className="link">
            Trace
          </PageLink>
        </div>
      )}
    </section>
  );
}

/** The fields that have a place for what the server refuses about them. */
const FIELDS = ["name", "systemPrompt", "script", "allowedHosts", "tools", "permissions", "maxRounds"];

/** The choice of a form for a model that the agent describes itself. */
const OWN = "own:";

function Editor({ draft, close }: { draft: Draft; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const models = useModels();
  const [servers, setServers] = useState(() => draftsOf(draft.mcpServers));
  const [permissions, setPermissions] = useState<Pair[]>(() => Object.entries(draft.permissions));
  const [error, setError] = useState<FieldError | null>(null);
  const paths = [...FIELDS, ...serverPaths(servers)];
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  }, [error]);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = (name: string) => String(new FormData(event.currentTarget).get(name) ?? "");
    const { id, ...kept } = draft; // what this form does not show stays as it is
    const body = {
      ...kept,
      name: field("name"),
      systemPrompt: field("systemPrompt"),
      model: modelOf(draft.model, field("model"), models ?? []),
      script: field("script"),
      maxRounds: field("maxRounds") === "" ? undefined : Number(field("maxRounds")),
      allowedHosts: field("allowedHosts").split(/[\s,]+/).filter((host) => host !== ""),
      tools: toolsOf(draft.tools, field("tools")),
      permissions: Object.fromEntries(filled(permissions)),
      mcpServers: serversOf(servers),
      skills: new FormData(event.currentTarget).getAll("skills").map(String),
    };
    const tool = repeated(permissions);
    const duplicate = tool === undefined ? duplicateIn(servers) : { field: "permissions", text: `“${tool}” is there twice.` };
    setError(duplicate);
    if (duplicate) return;
    try {
      if (id === null) await sendJson("POST", "/api/agents", body);
      else await sendJson("PUT", agentUrl(id), body);
      dialog.current?.close();
    } catch (failure) {
      setError(fieldErrorIn(failure, paths));
    }
  };
  return (
    <dialog ref={dialog} className="sheet wide" aria-label="Agent" onClose={close}>
      <header>
        <h2>{draft.id === null ? "New agent" : draft.name}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <form className="form" onSubmit={(event) => void save(event)}>
        <Field label="Name" field="name" error={error}>
          {(attributes) => <input name="name" required maxLength={100} defaultValue={draft.name} {...attributes} />}
        </Field>
        <Field label="Instructions" field="systemPrompt" error={error}>
          {(attributes) => <textarea name="systemPrompt" rows={5} defaultValue={draft.systemPrompt} {...attributes} />}
        </Field>
        {models && <ModelField models={models} value={draft.model} />}
        <Field label="Set-up script" hint="runs in the sandbox first" field="script" error={error}>
          {(attributes) => <textarea name="script" rows={3} defaultValue={draft.script} {...attributes} />}
        </Field>
        <Field label="Hosts it may reach" hint="none means no network" field="allowedHosts" error={error}>
          {(attributes) => <input name="allowedHosts" defaultValue={draft.allowedHosts.join(", ")} {...attributes} />}
        </Field>
        <McpServerFields servers={servers} change={setServers} error={error} />
        <SkillsField chosen={draft.skills} />
        <Field label="Tools" hint="empty for all" field="tools" error={error}>
          {(attributes) => <input name="tools" defaultValue={(draft.tools ?? []).join(", ")} {...attributes} />}
        </Field>
        <Pairs
          title="Permissions"
          hint="of a tool such as sh, of a server such as mcp:github:*, and * for the others"
          word="permission"
          rows={permissions}
          change={setPermissions}
          field="permissions"
          error={error}
          value={(value, label, change) => (
            <select aria-label={label} value={value} onChange={(event) => change(event.target.value)}>
              <option value="allow">allow</option>
              <option value="ask">ask a person</option>
              <option value="deny">deny</option>
            </select>
          )}
        />
        <Field label="Rounds at most" hint="empty for the setting of the server" field="maxRounds" error={error}>
          {(attributes) => (
            <input name="maxRounds" type="number" min={1} max={1000} defaultValue={draft.maxRounds} {...attributes} />
          )}
        </Field>
        <OtherError error={error} fields={paths} />
        <button type="submit" className="button primary">
          Save
        </button>
      </form>
    </dialog>
  );
}

/** An agent that has no tools keeps none. */
function toolsOf(before: Agent["tools"], text: string): Agent["tools"] {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  return names.length === 0 && before?.length !== 0 ? undefined : names;
}

/** A list, or a text when the runner alone knows its models. */
function ModelField({ models, value }: { models: readonly Model[]; value: Agent["model"] }) {
  const own = typeof value === "string" ? undefined : (value.name ?? value.provider ?? value.baseUrl);
  if (models.length === 0)
    return (
      <label>
        Model <small>empty for the default of the runner</small>
        <input name="model" defaultValue={own ?? ""} />
      </label>
    );
  return (
    <label>
      Model
      <select name="model" defaultValue={typeof value === "string" ? value : own === undefined ? "" : OWN}>
        <option value="">The default</option>
        {models.map((model) => (
          <option key={model.id} value={model.id}>
            {model.id}
          </option>
        ))}
        {own !== undefined && <option value={OWN}>{`Its own: ${own}`}</option>}
        {typeof value === "string" && !models.some((model) => model.id === value) && (
          <option value={value}>{`${value} (no longer offered)`}</option>
        )}
      </select>
    </label>
  );
}

function modelOf(before: Agent["model"], chosen: string, models: readonly Model[]): Agent["model"] {
  if (models.length > 0) return chosen === OWN ? before : chosen === "" ? {} : chosen;
  const own = typeof before === "string" ? {} : before;
  return chosen === "" ? own : { ...own, name: chosen };
}

function useAgents() {
  const [agents, setAgents] = useState<Agent[]>([]);
  const [missing, setMissing] = useState(false);
  const reload = useCallback(() => {
    getJson<{ agents: Agent[] }>("/api/agents").then(
      (found) => setAgents(found.agents),
      (error: unknown) => setMissing(error instanceof ApiError && error.status === 404),
    );
  }, []);
  useEffect(reload, [reload]);
  return { agents, missing, reload };
}
