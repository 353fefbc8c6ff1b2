CREATE TABLE snapshot (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    number BIGINT NOT NULL,
    generation BIGINT NOT NULL,
    run_id TEXT,
    manifest TEXT NOT NULL,
    packs TEXT NOT NULL,
    files BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (conversation_id, number)
);
