CREATE TABLE run (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT REFERENCES conversation (id),
    user_message_id TEXT,
    agent_id TEXT,
    generation BIGINT NOT NULL,
    prompt TEXT NOT NULL,
    setup TEXT NOT NULL,
    bag_file_ids TEXT NOT NULL,
    status TEXT NOT NULL,
    owner TEXT NOT NULL,
    lease_until BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT
);

CREATE INDEX run_by_lease ON run (status, lease_until);

CREATE INDEX run_by_conversation ON run (conversation_id, started_at);

CREATE TABLE run_line (
    run_id TEXT NOT NULL REFERENCES run (id),
    seq BIGINT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
);

CREATE TABLE run_token (
    hash TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES run (id),
    purpose TEXT NOT NULL,
    generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

CREATE INDEX run_token_by_run ON run_token (run_id);

CREATE TABLE signing_key (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
