-- People of a tenant. Every row that belonged to a tenant alone belongs to its first owner, whose id is `owner` in every tenant: the
-- defaults below say so, also for rows that the version before writes.
-- Runs with step 3

-- People of a tenant. An id is unique in its tenant only: the first owner of each has the id `owner`.
-- Owner: access
CREATE TABLE app_user (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    email_key TEXT, -- the address in the form in which addresses are compared; NULL for a removed person
    role TEXT NOT NULL, -- owner, member, viewer
    created_at BIGINT NOT NULL,
    removed_at BIGINT, -- a removed person cannot sign in any more
    PRIMARY KEY (tenant_id, id)
);

CREATE UNIQUE INDEX app_user_by_email ON app_user (tenant_id, email_key) WHERE email_key IS NOT NULL;

INSERT INTO app_user (tenant_id, id, name, role, created_at)
SELECT id, 'owner', 'Owner', 'owner', created_at FROM tenant;

ALTER TABLE api_key ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE api_key ADD COLUMN scopes TEXT NOT NULL DEFAULT 'admin,agents,chat,files,read';

ALTER TABLE api_key ADD COLUMN expires_at BIGINT;

ALTER TABLE api_key ADD COLUMN last_used_at BIGINT;

ALTER TABLE login_link ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE login_link ADD COLUMN scopes TEXT NOT NULL DEFAULT 'admin,agents,chat,files,read';

-- The credential that made the link, and with which its sessions end.
ALTER TABLE login_link ADD COLUMN opened_by TEXT NOT NULL DEFAULT 'server';

ALTER TABLE browser_session ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE browser_session ADD COLUMN scopes TEXT NOT NULL DEFAULT 'admin,agents,chat,files,read';

ALTER TABLE browser_session ADD COLUMN opened_by TEXT NOT NULL DEFAULT 'server';

ALTER TABLE browser_session ADD COLUMN last_used_at BIGINT;

ALTER TABLE conversation ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE queued_message ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE run ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

ALTER TABLE upload ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';

CREATE INDEX conversation_by_user ON conversation (tenant_id, user_id, updated_at DESC, id DESC)
 WHERE deleted_at IS NULL AND type <> 'run';

CREATE INDEX run_running_by_user ON run (tenant_id, user_id) WHERE status = 'running';
