-- Backups of a system that runs.
-- Runs with step 3

-- While this row is valid, no object is deleted or moved away: a backup copies the objects that its rows name.
-- Owner: backup
CREATE TABLE backup_hold (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
