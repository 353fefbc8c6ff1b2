CREATE TABLE agent (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    system_prompt TEXT NOT NULL,
    model TEXT NOT NULL,
    variables TEXT NOT NULL,
    script TEXT NOT NULL,
    max_rounds BIGINT NOT NULL,
    allowed_hosts TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE UNIQUE INDEX agent_by_name ON agent (tenant_id, name) WHERE deleted_at IS NULL;
