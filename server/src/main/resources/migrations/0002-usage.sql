-- Sums of storage. Only the triggers in the files beside this one write them, one file for each database.

-- The storage of each conversation.
CREATE TABLE conversation_usage (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id) ON DELETE CASCADE,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    type TEXT NOT NULL, -- of the conversation
    files BIGINT NOT NULL DEFAULT 0,
    file_bytes BIGINT NOT NULL DEFAULT 0,
    deleted_files BIGINT NOT NULL DEFAULT 0,
    deleted_bytes BIGINT NOT NULL DEFAULT 0,
    file_changes BIGINT NOT NULL DEFAULT 0, -- grows whenever a file arrives or goes
    snapshots BIGINT NOT NULL DEFAULT 0,
    snapshot_bytes BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT GENERATED ALWAYS AS (file_bytes + deleted_bytes + snapshot_bytes) STORED
);

CREATE INDEX conversation_usage_by_bytes ON conversation_usage (tenant_id, bytes DESC, conversation_id)
    WHERE type <> 'run';

-- The storage of each tenant, and the number of its chats that are not deleted. A tenant has a row for each first
-- character of the ids that are counted, so that transactions of one tenant seldom wait for each other.
CREATE TABLE tenant_usage (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    shard TEXT NOT NULL,
    chats BIGINT NOT NULL DEFAULT 0,
    files BIGINT NOT NULL DEFAULT 0,
    file_bytes BIGINT NOT NULL DEFAULT 0,
    deleted_files BIGINT NOT NULL DEFAULT 0,
    deleted_bytes BIGINT NOT NULL DEFAULT 0,
    run_files BIGINT NOT NULL DEFAULT 0,
    run_bytes BIGINT NOT NULL DEFAULT 0,
    snapshots BIGINT NOT NULL DEFAULT 0,
    snapshot_bytes BIGINT NOT NULL DEFAULT 0,
    assets BIGINT NOT NULL DEFAULT 0,
    asset_bytes BIGINT NOT NULL DEFAULT 0,
    skills BIGINT NOT NULL DEFAULT 0, -- versions
    skill_bytes BIGINT NOT NULL DEFAULT 0,
    texts BIGINT NOT NULL DEFAULT 0, -- of documents
    text_bytes BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, shard)
);
