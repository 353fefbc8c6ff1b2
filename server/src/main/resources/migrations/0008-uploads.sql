CREATE TABLE upload (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    session_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    announced BIGINT,
    created_at BIGINT NOT NULL,
    arrived_at BIGINT,
    conversation_id TEXT REFERENCES conversation (id),
    bag_key TEXT,
    moved_at BIGINT
);

CREATE INDEX upload_by_session ON upload (session_id);

CREATE INDEX upload_by_conversation ON upload (conversation_id);

CREATE TABLE upload_part (
    upload_id TEXT NOT NULL REFERENCES upload (id),
    start_at BIGINT NOT NULL,
    size BIGINT NOT NULL,
    storage_key TEXT NOT NULL,
    PRIMARY KEY (upload_id, start_at)
);

CREATE TABLE erasure (
    storage_key TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

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

CREATE TABLE mcp_token (
    hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL UNIQUE REFERENCES conversation (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

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
