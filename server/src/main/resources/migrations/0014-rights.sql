-- With what keys and tokens end, and whether the access of a person was reset.
-- Runs with step 3

-- What made the key: it ends with that. NULL for a key of the operator's, and of the version before.
ALTER TABLE api_key ADD COLUMN opened_by TEXT;

-- The key or browser session that made the token: it ends with that. A token without one is not extended.
ALTER TABLE mcp_token ADD COLUMN opened_by TEXT;

-- When the person has signed in first; NULL for one who was only invited.
ALTER TABLE app_user ADD COLUMN signed_in_at BIGINT;

-- When an owner last made a link that signs in as this person, who had signed in before, and which owner.
ALTER TABLE app_user ADD COLUMN reset_at BIGINT;

ALTER TABLE app_user ADD COLUMN reset_by TEXT;

UPDATE app_user SET signed_in_at = created_at
 WHERE EXISTS (SELECT 1 FROM browser_session s WHERE s.tenant_id = app_user.tenant_id AND s.user_id = app_user.id)
    OR EXISTS (SELECT 1 FROM user_password p WHERE p.tenant_id = app_user.tenant_id AND p.user_id = app_user.id)
    OR EXISTS (SELECT 1 FROM conversation c WHERE c.tenant_id = app_user.tenant_id AND c.user_id = app_user.id);
