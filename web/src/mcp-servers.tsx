import { useEffect, useState } from "react";
import { credentials } from "./credentials";
import { Field, type FieldError } from "./field";
import { Icon } from "./icons";
import { List, Pairs, mapOf, repeated, type Pair } from "./rows";
import type { Agent, McpServer } from "./types";

/** An MCP server while a person edits it; what belongs to the other type is kept until it is saved. */
export interface ServerDraft {
  key: number;
  name: string;
  given: McpServer;
  type: McpServer["type"];
  url: string;
  credential: string;
  headers: Pair[];
  command: string;
  args: string[];
  env: Pair[];
}

let nextKey = 1;

function draftOf(name: string, given: McpServer): ServerDraft {
  return {
    key: nextKey++,
    name,
    given,
    type: given.type,
    url: given.url ?? "",
    credential: given.credential ?? "",
    headers: Object.entries(given.headers ?? {}),
    command: given.command ?? "",
    args: given.args ?? [],
    env: Object.entries(given.env ?? {}),
  };
}

export const draftsOf = (servers: Agent["mcpServers"]) =>
  Object.entries(servers).map(([name, server]) => draftOf(name, server));

export const serversOf = (drafts: readonly ServerDraft[]): Agent["mcpServers"] =>
  Object.fromEntries(drafts.map((draft) => [draft.name.trim(), serverOf(draft)]));

function serverOf({ type, given, url, credential, headers, command, args, env }: ServerDraft): McpServer {
  if (type === "http")
    return { type, url, credential: credential === "" ? undefined : credential, headers: mapOf(headers, given.headers) };
  return { type, command, args: args.length > 0 ? args : given.args && [], env: mapOf(env, given.env) };
}

/** The server names the beginning of a long name. */
const pathOf = (name: string) => `mcpServers.${name.length <= 40 ? name : `${name.slice(0, 40)}…`}`;

/** The paths of the fields of these servers, as the answers of the server name them. */
export const serverPaths = (drafts: readonly ServerDraft[]) =>
  drafts.flatMap(({ name }) => {
    const path = pathOf(name.trim());
    return [path, ...["url", "credential", "headers", "command", "args", "env"].map((field) => `${path}.${field}`)];
  });

/** What would be lost when rows become the fields of an object. */
export function duplicateIn(drafts: readonly ServerDraft[]): FieldError | null {
  const names = drafts.map(({ name }) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { field: pathOf(twice), text: `Two servers are called “${twice}”.` };
  for (const { name, type, headers, env } of drafts) {
    const field = type === "http" ? "headers" : "env";
    const key = repeated(type === "http" ? headers : env);
    if (key !== undefined) return { field: `${pathOf(name.trim())}.${field}`, text: `“${key}” is there twice.` };
  }
  return null;
}

interface Props {
  servers: ServerDraft[];
  change: (servers: ServerDraft[]) => void;
  error: FieldError | null;
}

export function McpServerFields({ servers, change, error }: Props) {
  const names = useCredentialNames();
  const update = (changed: ServerDraft) =>
    change(servers.map((server) => (server.key === changed.key ? changed : server)));
  return (
    <fieldset className="group">
      <legend>
        MCP servers <small>bring tools of other systems, as mcp:server:tool</small>
      </legend>
      {servers.map((server) => (
        <Server
          key={server.key}
          server={server}
          names={names}
          error={error}
          change={update}
          remove={() => change(servers.filter(({ key }) => key !== server.key))}
        />
      ))}
      <button type="button" className="button small" onClick={() => change([...servers, draftOf("", { type: "http" })])}>
        <Icon name="plus" />
        Add MCP server
      </button>
    </fieldset>
  );
}

interface ServerProps {
  server: ServerDraft;
  names: readonly string[];
  error: FieldError | null;
  change: (server: ServerDraft) => void;
  remove: () => void;
}

function Server({ server, names, error, change, remove }: ServerProps) {
  const path = pathOf(server.name.trim());
  const set = (changed: Partial<ServerDraft>) => change({ ...server, ...changed });
  const title = server.name === "" ? "new server" : server.name;
  return (
    <fieldset className="group inner">
      <legend className="visually-hidden">MCP server {title}</legend>
      <div className="pair">
        <Field label="Name" field={path} error={error}>
          {(attributes) => (
            <input required maxLength={32} value={server.name} onChange={(event) => set({ name: event.target.value })} {...attributes} />
          )}
        </Field>
        <label>
          Type
          <select value={server.type} onChange={(event) => set({ type: event.target.value as McpServer["type"] })}>
            <option value="http">http: at an address</option>
            <option value="stdio">stdio: a program in the sandbox</option>
          </select>
        </label>
        <button type="button" className="icon-button" aria-label={`Remove MCP server ${title}`} onClick={remove}>
          <Icon name="trash" />
        </button>
      </div>
      {server.type === "http" ? (
        <HttpFields server={server} path={path} names={names} error={error} set={set} />
      ) : (
        <StdioFields server={server} path={path} error={error} set={set} />
      )}
    </fieldset>
  );
}

interface TypeProps {
  server: ServerDraft;
  path: string;
  error: FieldError | null;
  set: (changed: Partial<ServerDraft>) => void;
}

function HttpFields({ server, path, names, error, set }: TypeProps & { names: readonly string[] }) {
  const { url, credential, headers } = server;
  return (
    <>
      <Field label="Address" field={`${path}.url`} error={error}>
        {(attributes) => (
          <input inputMode="url" placeholder="https://" value={url} onChange={(event) => set({ url: event.target.value })} {...attributes} />
        )}
      </Field>
      <Field label="Credential" hint="sent as Authorization: Bearer" field={`${path}.credential`} error={error}>
        {(attributes) => (
          <select value={credential} onChange={(event) => set({ credential: event.target.value })} {...attributes}>
            <option value="">None</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
            {credential !== "" && !names.includes(credential) && <option value={credential}>{`${credential} (does not exist)`}</option>}
          </select>
        )}
      </Field>
      <Pairs
        title="Headers"
        hint="secret:name stands for the value of a credential"
        word="header"
        rows={headers}
        change={(rows) => set({ headers: rows })}
        field={`${path}.headers`}
        error={error}
      />
    </>
  );
}

function StdioFields({ server, path, error, set }: TypeProps) {
  const { command, args, env } = server;
  return (
    <>
      <Field label="Command" hint="a program that is in the sandbox" field={`${path}.command`} error={error}>
        {(attributes) => <input value={command} onChange={(event) => set({ command: event.target.value })} {...attributes} />}
      </Field>
      <List title="Arguments" word="argument" rows={args} change={(rows) => set({ args: rows })} field={`${path}.args`} error={error} />
      <Pairs
        title="Variables"
        hint="no place for secrets"
        word="variable"
        rows={env}
        change={(rows) => set({ env: rows })}
        field={`${path}.env`}
        error={error}
      />
    </>
  );
}

function useCredentialNames(): readonly string[] {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    credentials.list().then(
      (all) => setNames(all.map(({ name }) => name)),
      () => setNames([]), // the agent keeps what it names
    );
  }, []);
  return names;
}
