-- People at a provider of OpenID Connect.
-- Runs with step 3

-- Whom the provider calls a person. The identity is the SHA-256 of its issuer and subject. The row of a removed person stays without
-- the person, so that the provider does not bring them back.
-- Owner: user
CREATE TABLE user_identity (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    identity_hash TEXT NOT NULL,
    user_id TEXT, -- NULL for a removed person
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, identity_hash)
);

CREATE INDEX user_identity_by_user ON user_identity (tenant_id, user_id);
