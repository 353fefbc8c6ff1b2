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
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE INDEX conversation_by_tenant ON conversation (tenant_id, updated_at DESC, id DESC);

CREATE TABLE message (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    attachments TEXT NOT NULL,
    run_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, seq),
    UNIQUE (conversation_id, id)
);
