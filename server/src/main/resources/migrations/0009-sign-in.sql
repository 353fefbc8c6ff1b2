-- Passwords of people, and who has done what the audit log has.
-- Runs with step 3

-- Passwords as Argon2id hashes with their parameters and salt.
-- Owner: user
CREATE TABLE user_password (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

ALTER TABLE audit ADD COLUMN user_id TEXT;

-- What the person has used: a key, a session, or the server.
ALTER TABLE audit ADD COLUMN credential TEXT;
