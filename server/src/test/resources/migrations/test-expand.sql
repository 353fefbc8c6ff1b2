-- A step of a later version that only adds: what the version before needs stays.
-- Runs with step 2

ALTER TABLE conversation ADD COLUMN added_by_a_later_version TEXT;

CREATE TABLE added_by_a_later_version (id TEXT PRIMARY KEY);

CREATE INDEX conversation_by_later_version ON conversation (added_by_a_later_version);
