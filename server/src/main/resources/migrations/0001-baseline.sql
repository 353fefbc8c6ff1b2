-- The schema of Satchel, for SQLite and PostgreSQL alike.
--
-- Ids are UUIDs as text, times are milliseconds since 1970 (UTC), sizes are bytes. Secrets are stored as SHA-256 only.
-- `deleted_at` marks a row that readers no longer see; a conversation with the value 0 cannot be restored any more. The comment above a table names the package below
-- dev.satchel.server that owns it: only the store of that package writes the table.
--
-- A statement ends with a semicolon before an empty line.

-- ---------------------------------------------------------------------------------------------------------------------
-- Access
-- ---------------------------------------------------------------------------------------------------------------------

-- Owners of conversations, agents and assets.
-- Owner: access
CREATE TABLE tenant (
    id TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

-- Keys that programs send as a bearer token.
-- Owner: access
CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- Links that open a browser session, each once.
-- Owner: access
CREATE TABLE login_link (
    hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

-- Browsers that are logged in.
-- Owner: access
CREATE TABLE browser_session (
    hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Agents
-- ---------------------------------------------------------------------------------------------------------------------

-- Named set-ups of a run. An update raises `version`. A name is free again once its agent is deleted.
-- Owner: agent
CREATE TABLE agent (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    path TEXT NOT NULL DEFAULT '',
    version BIGINT NOT NULL DEFAULT 1,
    system_prompt TEXT NOT NULL,
    model TEXT NOT NULL,
    variables TEXT NOT NULL, -- JSON
    script TEXT NOT NULL,
    max_rounds BIGINT NOT NULL, -- 0 for SATCHEL_MAX_ROUNDS
    allowed_hosts TEXT NOT NULL, -- JSON
    tools TEXT, -- JSON: the names of its tools; NULL for all
    permissions TEXT NOT NULL DEFAULT '{}', -- JSON: tool or prefix with *, and allow, ask or deny
    mcp_servers TEXT NOT NULL DEFAULT '{}', -- JSON: the servers by name, with the names of credentials only
    skills TEXT NOT NULL DEFAULT '[]', -- JSON: the names of its skills
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE UNIQUE INDEX agent_by_name ON agent (tenant_id, name) WHERE deleted_at IS NULL;

-- Every version of an agent, also the present one.
-- Owner: agent
CREATE TABLE agent_version (
    agent_id TEXT NOT NULL REFERENCES agent (id),
    version BIGINT NOT NULL,
    spec TEXT NOT NULL, -- JSON
    path TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, version)
);

-- Skills of a tenant, a row for each version. The rows stay when the bytes are deleted, so that a version is never given twice.
-- Owner: skill
CREATE TABLE skill (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    version BIGINT NOT NULL,
    description TEXT NOT NULL,
    entries TEXT NOT NULL, -- JSON: the paths and sizes of its files
    files BIGINT NOT NULL,
    bytes BIGINT NOT NULL, -- of the files together
    size BIGINT NOT NULL, -- of the stored archive; 0 once it is deleted
    sha256 TEXT NOT NULL, -- of the archive
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    removed_at BIGINT, -- when the archive was deleted, after the last run that needed it
    UNIQUE (tenant_id, name, version)
);

CREATE INDEX skill_deleted ON skill (id) WHERE deleted_at IS NOT NULL AND removed_at IS NULL;

-- Credentials that agents use to reach other services. `sealed` is encrypted with the key that has the id `key_id`; the key
-- is not in the database.
-- Owner: credential
CREATE TABLE credential (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL, -- value or oauth
    key_id TEXT NOT NULL,
    sealed TEXT NOT NULL, -- AES-256-GCM: nonce, text and tag in Base64
    expires_at BIGINT, -- of the access token of an OAuth credential
    connected_at BIGINT, -- when a person last logged in for an OAuth credential
    login TEXT, -- the newest login of a person that is not finished; key_id and AES-256-GCM as sealed
    problem TEXT, -- why a person has to connect it again
    renewed_until BIGINT NOT NULL DEFAULT 0, -- until then one server renews the access token
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- The agent of the chats of a tenant that name none.
-- Owner: agent
CREATE TABLE default_agent (
    tenant_id TEXT PRIMARY KEY REFERENCES tenant (id),
    agent_id TEXT NOT NULL REFERENCES agent (id)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Conversations
-- ---------------------------------------------------------------------------------------------------------------------

-- One thread with its files, or the workspace and files of one headless run (type `run`), which has the id of the run and no
-- messages. `active_message_id` and `active_run_id` are the lock of the turn in progress, and
-- `generation` grows with every turn: a write with an older generation is refused.
-- Owner: conversation
CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    type TEXT NOT NULL,
    title TEXT,
    workflow_id TEXT,
    message_count BIGINT NOT NULL,
    active_message_id TEXT,
    active_run_id TEXT,
    generation BIGINT NOT NULL,
    workspace_node TEXT, -- the node whose disk holds the live workspace, '' when none does, NULL when not yet known
    workspace_holder TEXT, -- the operation that locks the workspace while no run is active
    workspace_held_until BIGINT, -- when that lock expires
    workspace_pending TEXT, -- where the files are that no snapshot has: a node, or 'shared'; NULL when a snapshot has them
    workspace_pending_run TEXT, -- the run that left them
    workspace_generation BIGINT NOT NULL DEFAULT 0, -- snapshots of an earlier generation are refused
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE INDEX conversation_by_tenant ON conversation (tenant_id, updated_at DESC, id DESC)
    WHERE deleted_at IS NULL AND type <> 'run';

CREATE INDEX conversation_by_pending ON conversation (workspace_pending, id) WHERE workspace_pending IS NOT NULL;

CREATE INDEX conversation_by_deletion ON conversation (deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE INDEX conversation_of_run ON conversation (created_at, id) WHERE type = 'run';

CREATE INDEX conversation_of_run_not_started ON conversation (created_at) WHERE type = 'run' AND generation = 0;

-- Messages of a conversation, numbered without gaps.
-- Owner: conversation
CREATE TABLE message (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL, -- JSON: text, or content blocks
    attachments TEXT NOT NULL, -- JSON
    not_handed_over TEXT NOT NULL DEFAULT '[]', -- JSON
    run_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, seq),
    UNIQUE (conversation_id, id)
);

-- Messages that wait until the turn before them has ended, with what their turn needs. The row is deleted when the turn starts.
-- Owner: queue
CREATE TABLE queued_message (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    message_id TEXT NOT NULL,
    position BIGINT NOT NULL, -- grows; there may be gaps
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    run_id TEXT NOT NULL UNIQUE, -- the id that the run of the turn will have
    text TEXT NOT NULL,
    attachments TEXT NOT NULL, -- JSON: ids of files of the conversation
    agent_id TEXT, -- that of the turn, as it was when the message was sent; NULL as in chat_agent
    model TEXT,
    paused BIGINT NOT NULL DEFAULT 0, -- 1 while the queue waits until a person goes on
    problem TEXT, -- why the turn was refused when it was due
    steer_run TEXT, -- the run that shall hear the message; a turn of its own if that ends before
    created_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, message_id),
    UNIQUE (conversation_id, position)
);

CREATE INDEX queued_message_by_steer_run ON queued_message (steer_run) WHERE steer_run IS NOT NULL;

-- The agent and the model that the messages of a conversation named last.
-- Owner: agent
CREATE TABLE chat_agent (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    agent_id TEXT, -- NULL for that of the session, or the default agent
    model TEXT -- NULL for that of the agent
);

-- What the Sessions API stores beside the conversation of the same id.
-- Owner: session
CREATE TABLE session (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    agent_id TEXT,
    agent_name TEXT NOT NULL,
    setup TEXT NOT NULL, -- JSON
    model TEXT,
    parent_id TEXT,
    status TEXT NOT NULL -- active, paused, stopped, ended
);

CREATE INDEX session_by_agent ON session (agent_name);

-- ---------------------------------------------------------------------------------------------------------------------
-- Runs
-- ---------------------------------------------------------------------------------------------------------------------

-- One sandbox execution, of a turn or headless. The owner renews the lease. A run that is continued has the next
-- `attempt` and the next generation of its conversation.
-- Owner: run
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    user_message_id TEXT,
    agent_id TEXT,
    generation BIGINT NOT NULL,
    prompt TEXT NOT NULL,
    setup TEXT NOT NULL, -- JSON
    first_generation BIGINT NOT NULL, -- of the first attempt: it orders the runs of a conversation
    status TEXT NOT NULL, -- running, waiting, succeeded, failed, cancelled, interrupted
    attempt BIGINT NOT NULL DEFAULT 1,
    continuations BIGINT NOT NULL DEFAULT 0, -- how often it was continued because its server or runner was lost
    owner TEXT NOT NULL,
    lease_until BIGINT NOT NULL, -- negative when its process has given it back to be continued
    last_seq BIGINT NOT NULL,
    journal_full BIGINT NOT NULL DEFAULT 0, -- 1 when its journal has reached the limit: it cannot be continued
    drains BIGINT NOT NULL DEFAULT 0, -- 1 when its server is being stopped: its loop shall stop at the next boundary
    stop_reason TEXT, -- set by a node that does not execute the run, so that the owner cancels it
    waits_for TEXT, -- the node whose disk holds the workspace, until that node takes the run
    log_state BIGINT NOT NULL DEFAULT 0, -- 0 as written, 1 with merged lines, 2 also without messages for the trace
    started_at BIGINT NOT NULL,
    ended_at BIGINT
);

CREATE INDEX run_by_log_state ON run (log_state, ended_at, id) WHERE log_state < 2;

CREATE INDEX run_by_lease ON run (status, lease_until);

CREATE INDEX run_by_conversation ON run (conversation_id, started_at);

CREATE INDEX run_by_waiting ON run (waits_for) WHERE waits_for IS NOT NULL;

-- The log of a run: every line that the run wrote, in order.
-- Owner: runlog
CREATE TABLE run_line (
    run_id TEXT NOT NULL REFERENCES run (id),
    seq BIGINT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL, -- JSON
    whole TEXT, -- JSON before large values were cut, for the trace; null if nothing was cut
    parts TEXT, -- of a line that several were merged into: the length of the text of each
    PRIMARY KEY (run_id, seq)
);

-- What runs have asked people, and the answers. A run waits while it has an open row.
-- Owner: approval
CREATE TABLE ask (
    run_id TEXT NOT NULL REFERENCES run (id),
    id TEXT NOT NULL, -- of the line, and of the step that waits for the answer
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    row_id TEXT NOT NULL UNIQUE, -- the place in lists
    kind TEXT NOT NULL, -- approval, question
    tool TEXT NOT NULL,
    args TEXT, -- JSON
    question TEXT,
    options TEXT NOT NULL, -- JSON
    status TEXT NOT NULL, -- open, answered, ended: the run has ended without the answer
    decision TEXT, -- allow, deny
    answer TEXT,
    remember TEXT, -- run, chat
    asked_at BIGINT NOT NULL,
    answered_at BIGINT,
    PRIMARY KEY (run_id, id)
);

CREATE INDEX ask_by_tenant ON ask (tenant_id, status, asked_at, row_id);

CREATE INDEX ask_by_conversation ON ask (conversation_id);

-- Decisions that people made for all later calls of a tool in a conversation.
-- Owner: approval
CREATE TABLE chat_permission (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    tool TEXT NOT NULL,
    permission TEXT NOT NULL, -- allow, deny
    decided_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, tool)
);

-- Tokens and cost of the calls of models, one row for each call, with the run and the number of its line in the log. When a
-- conversation is erased, its rows become one for each day, model and agent, with an id of their own instead of the run.
-- Owner: usage
CREATE TABLE model_usage (
    run_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT,
    conversation_id TEXT, -- NULL once the conversation is erased
    agent_id TEXT,
    model TEXT NOT NULL, -- the id in the registry, or the name that the runner gave
    calls BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cache_read_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    cost_micros BIGINT, -- NULL when the model has no price
    at BIGINT NOT NULL,
    PRIMARY KEY (run_id, seq)
);

CREATE INDEX model_usage_by_tenant ON model_usage (tenant_id, at);

CREATE INDEX model_usage_by_conversation ON model_usage (conversation_id) WHERE conversation_id IS NOT NULL;

-- The clients that follow a run, so that other servers know of them. A row of a server that died expires.
-- Owner: runlog
CREATE TABLE run_reader (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX run_reader_by_run ON run_reader (run_id);

-- One-time tokens of a run, one for each purpose.
-- Owner: run
CREATE TABLE run_token (
    hash TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES run (id),
    purpose TEXT NOT NULL, -- setup, run, upload
    generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    used_by TEXT -- the hash of the Idempotency-Key of the request that used it
);

CREATE INDEX run_token_by_run ON run_token (run_id);

CREATE INDEX run_token_by_expiry ON run_token (expires_at);

-- Keys that sign links. Every node of the database uses the same ones.
-- Owner: run
CREATE TABLE signing_key (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Files
-- ---------------------------------------------------------------------------------------------------------------------

-- Files of a conversation. A row reserves a name before the bytes are stored: `arrived_at` is set
-- when they are. A name stays reserved after its file is deleted. The same path handed in again is a new version: it has
-- the name of the first, and lists show the one that no other row supersedes.
-- Owner: bag
CREATE TABLE bag_file (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    run_id TEXT REFERENCES run (id), -- the run that wrote it back
    message_id TEXT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL, -- the name in the form in which names are compared
    path TEXT NOT NULL, -- of a file that a run handed in: its path in assets/, else the name
    supersedes TEXT, -- the version before
    superseded_by TEXT, -- the version after, once it has arrived
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    generation BIGINT NOT NULL DEFAULT 0, -- of the conversation when the file arrived: later runs receive it
    arrived_at BIGINT,
    deleted_at BIGINT
);

CREATE UNIQUE INDEX bag_file_of_conversation ON bag_file (conversation_id, name_key) WHERE supersedes IS NULL;

CREATE INDEX bag_file_by_conversation ON bag_file (conversation_id);

CREATE INDEX bag_file_by_run ON bag_file (run_id);

CREATE INDEX bag_file_listed ON bag_file (conversation_id, created_at, id)
 WHERE arrived_at IS NOT NULL AND deleted_at IS NULL AND superseded_by IS NULL;

CREATE INDEX bag_file_handed_in ON bag_file (conversation_id)
 WHERE source = 'sandbox' AND arrived_at IS NOT NULL AND superseded_by IS NULL;

CREATE INDEX bag_file_incomplete ON bag_file (created_at, id) WHERE arrived_at IS NULL;

-- Files that a run left in assets/ and that are not in the bag, with their paths in the workspace.
-- Owner: bag
CREATE TABLE not_handed_over (
    run_id TEXT NOT NULL REFERENCES run (id),
    path TEXT NOT NULL,
    conversation_id TEXT REFERENCES conversation (id),
    size BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run_id, path)
);

CREATE INDEX not_handed_over_by_conversation ON not_handed_over (conversation_id);

-- Copies of bag files in the workspace of a conversation. A file that has a row is not copied again. A snapshot of an
-- earlier generation does not have the copy, so that its restore deletes the row.
-- Owner: bag
CREATE TABLE workspace_copy (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    file_id TEXT NOT NULL,
    path TEXT NOT NULL, -- in the workspace
    sha256 TEXT NOT NULL, -- of the file when it was copied
    generation BIGINT NOT NULL, -- of the turn that made the copy
    removed BIGINT, -- of the turn that removed the copy of a deleted file, or found it changed
    PRIMARY KEY (conversation_id, file_id)
);

-- The state of a bag of which the workspace has all copies. As long as the bag is in it, nothing is to be copied.
-- Owner: bag
CREATE TABLE workspace_comparison (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    file_changes BIGINT NOT NULL -- of conversation_usage
);

CREATE INDEX workspace_copy_present ON workspace_copy (conversation_id, file_id) WHERE removed IS NULL;

-- Durable files of a tenant.
-- Owner: asset
CREATE TABLE asset (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    search_name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE INDEX asset_by_tenant ON asset (tenant_id, created_at DESC, id DESC);

CREATE INDEX asset_deleted ON asset (id) WHERE deleted_at IS NOT NULL;

-- Copies of assets in a conversation.
-- Owner: staging
CREATE TABLE staged_asset (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    asset_id TEXT NOT NULL,
    filename TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    staged_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, asset_id)
);

CREATE INDEX staged_asset_by_time ON staged_asset (staged_at);

-- Copies of assets that agents put into their workspaces during runs. Old ones are deleted, unless they were changed.
-- Owner: staging
CREATE TABLE staged_copy (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    path TEXT NOT NULL, -- in the workspace
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    staged_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, path)
);

-- Received bytes. An upload is claimed by at most one conversation (`conversation_id`) and then moved into its bag
-- (`bag_key`, `moved_at`). What is not claimed expires.
-- Owner: upload
CREATE TABLE upload (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    session_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    announced BIGINT, -- the length that a tus client declared, NULL for any other upload
    created_at BIGINT NOT NULL,
    arrived_at BIGINT,
    conversation_id TEXT REFERENCES conversation (id),
    bag_key TEXT,
    moved_at BIGINT
);

CREATE INDEX upload_by_session ON upload (session_id);

CREATE INDEX upload_by_conversation ON upload (conversation_id);

CREATE INDEX upload_unclaimed ON upload (created_at, id) WHERE conversation_id IS NULL;

CREATE INDEX upload_unclaimed_by_tenant ON upload (tenant_id) WHERE conversation_id IS NULL;

CREATE INDEX upload_unmoved ON upload (id) WHERE conversation_id IS NOT NULL AND moved_at IS NULL;

-- The pieces of a tus upload. The offset is part of the key, so that one of two concurrent pieces is stored.
-- Owner: upload
CREATE TABLE upload_part (
    upload_id TEXT NOT NULL REFERENCES upload (id),
    start_at BIGINT NOT NULL,
    size BIGINT NOT NULL,
    storage_key TEXT NOT NULL,
    PRIMARY KEY (upload_id, start_at)
);

-- Keys and prefixes of objects that no row refers to any more and that are still to be deleted.
-- Owner: objectstore
CREATE TABLE erasure (
    storage_key TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

CREATE INDEX erasure_by_time ON erasure (created_at);

-- Snapshots of a conversation's workspace, numbered from 1.
-- Owner: snapshot
CREATE TABLE snapshot (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    number BIGINT NOT NULL,
    generation BIGINT NOT NULL,
    run_id TEXT,
    manifest TEXT NOT NULL,
    packs TEXT NOT NULL, -- JSON
    files BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (conversation_id, number)
);

-- The packs and manifests that snapshots need. Every other object of a snapshot can be deleted.
-- Owner: snapshot
CREATE TABLE snapshot_object (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    name TEXT NOT NULL, -- the key without the prefix of the conversation
    pack_bytes BIGINT NOT NULL, -- 0 for a manifest
    PRIMARY KEY (conversation_id, name)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Operation
-- ---------------------------------------------------------------------------------------------------------------------

-- Tokens of the MCP endpoint, one valid token for each conversation. A token that has ended stays until it would have
-- expired, so that the audit log can tell its use from a guess. Its conversation may be deleted by then.
-- Owner: mcp
CREATE TABLE mcp_token (
    hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL,
    may_answer INTEGER NOT NULL, -- 1 if it may answer what runs of the conversation ask people
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended TEXT -- why the token is no longer valid, NULL while it is
);

CREATE UNIQUE INDEX mcp_token_live ON mcp_token (conversation_id) WHERE ended IS NULL;

CREATE INDEX mcp_token_by_conversation ON mcp_token (conversation_id);

CREATE INDEX mcp_token_by_expiry ON mcp_token (expires_at);

-- What callers did, and what was refused.
-- Owner: audit
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    tenant_id TEXT,
    session_id TEXT,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE INDEX audit_by_session ON audit (session_id, at);

CREATE INDEX audit_by_tenant ON audit (tenant_id, at);

CREATE INDEX audit_by_time ON audit (at, id);

-- Idempotency keys of requests, and the stored answers.
-- Owner: idempotency
CREATE TABLE idempotency_key (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    key_hash TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    attempt TEXT NOT NULL,
    state TEXT NOT NULL, -- running, begun, answered
    request_hash TEXT,
    answer TEXT,
    lease_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, key_hash)
);

CREATE INDEX idempotency_key_by_expiry ON idempotency_key (expires_at);

-- The server that runs the clean-up tasks for all servers of this database. It renews the lease.
-- Owner: schedule
CREATE TABLE sweep_lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    lease_until BIGINT NOT NULL
);

-- The servers on this database and the addresses at which they reach each other.
-- Owner: node
CREATE TABLE node (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- Written and deleted again to find out whether the database accepts writes; always empty.
-- Owner: operations
CREATE TABLE readiness_check (
    id TEXT PRIMARY KEY,
    checked_at BIGINT NOT NULL
);
