-- Going back to a snapshot of a workspace.
-- Runs with step 3

-- The message after which the files were like this. NULL when not known.
ALTER TABLE snapshot ADD COLUMN message_id TEXT;

-- The snapshot that was restored. NULL when the files were made.
ALTER TABLE snapshot ADD COLUMN restored_from TEXT;

-- How many files and links differ from the snapshot before. NULL when not counted.
ALTER TABLE snapshot ADD COLUMN added BIGINT;

ALTER TABLE snapshot ADD COLUMN changed BIGINT;

ALTER TABLE snapshot ADD COLUMN removed BIGINT;

-- Live workspaces that are being brought to their newest snapshot. Until the row is deleted, that snapshot is what counts.
-- Owner: snapshot
CREATE TABLE workspace_restore (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    snapshot_id TEXT NOT NULL
);
