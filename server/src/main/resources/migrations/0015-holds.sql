-- Who changes, keeps or takes away the workspace while no run is on, and until when that counts.
ALTER TABLE conversation ADD COLUMN workspace_holder TEXT;

ALTER TABLE conversation ADD COLUMN workspace_held_until BIGINT;

-- The server whose disk holds the workspace, while the run waits for that server to take it.
ALTER TABLE run ADD COLUMN waits_for TEXT;

CREATE INDEX run_by_waiting ON run (waits_for) WHERE waits_for IS NOT NULL;
