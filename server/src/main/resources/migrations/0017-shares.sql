-- Chats that their people show to others.
-- Runs with step 3

-- A chat as it stood when its person shared it: the path to a message, and a snapshot of the workspace, which stays as long as this.
-- Owner: share
CREATE TABLE chat_share (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL, -- the person who shares
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    kind TEXT NOT NULL, -- link, tenant, user
    reader_id TEXT, -- the reader, for the kind user
    token_hash TEXT, -- SHA-256 of the token, for the kind link
    title TEXT,
    head_seq BIGINT NOT NULL, -- the last message; 0 for none
    snapshot_id TEXT, -- NULL without a workspace
    created_at BIGINT NOT NULL,
    expires_at BIGINT -- NULL for never
);

CREATE UNIQUE INDEX chat_share_token ON chat_share (token_hash) WHERE token_hash IS NOT NULL;

CREATE INDEX chat_share_conversation ON chat_share (conversation_id);

CREATE INDEX chat_share_tenant ON chat_share (tenant_id, created_at, id);

CREATE INDEX chat_share_expiry ON chat_share (expires_at) WHERE expires_at IS NOT NULL;

-- The files of a chat when it was shared, in all versions that its messages had.
-- Owner: share
CREATE TABLE chat_share_file (
    share_id TEXT NOT NULL REFERENCES chat_share (id),
    file_id TEXT NOT NULL,
    PRIMARY KEY (share_id, file_id)
);
