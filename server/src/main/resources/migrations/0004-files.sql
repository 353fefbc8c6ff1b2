CREATE TABLE bag_file (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT REFERENCES conversation (id),
    run_id TEXT REFERENCES run (id),
    message_id TEXT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    arrived_at BIGINT,
    deleted_at BIGINT
);

CREATE UNIQUE INDEX bag_file_of_conversation ON bag_file (conversation_id, name_key)
    WHERE conversation_id IS NOT NULL;

CREATE UNIQUE INDEX bag_file_of_headless_run ON bag_file (run_id, name_key)
    WHERE conversation_id IS NULL;

CREATE INDEX bag_file_by_run ON bag_file (run_id);

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
