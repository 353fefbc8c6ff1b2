-- A token that has ended is kept until it would have expired anyway, so that whoever still uses it is told apart in the
-- audit log from whoever guesses; its conversation may be gone by then.
CREATE TABLE mcp_token_kept (
    hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended TEXT
);

INSERT INTO mcp_token_kept (hash, tenant_id, conversation_id, created_at, expires_at)
SELECT hash, tenant_id, conversation_id, created_at, expires_at FROM mcp_token;

DROP TABLE mcp_token;

ALTER TABLE mcp_token_kept RENAME TO mcp_token;

CREATE UNIQUE INDEX mcp_token_live ON mcp_token (conversation_id) WHERE ended IS NULL;
