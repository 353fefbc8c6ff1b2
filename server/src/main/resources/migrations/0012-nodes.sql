-- The servers on this database, and where the others reach them.
CREATE TABLE node (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- Whose disk holds the live workspace: NULL when nobody has said so yet, '' when nobody's does.
ALTER TABLE conversation ADD COLUMN workspace_node TEXT;

-- Asked for by another server than the one that runs it.
ALTER TABLE run ADD COLUMN stop_reason TEXT;
