CREATE TABLE idempotency_key (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    key_hash TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    attempt TEXT NOT NULL,
    state TEXT NOT NULL,
    request_hash TEXT,
    answer TEXT,
    lease_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, key_hash)
);

CREATE INDEX idempotency_key_by_expiry ON idempotency_key (expires_at);
