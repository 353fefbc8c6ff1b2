-- Limits of tenants and users, and runs that wait for a free place.
-- Runs with step 3

-- Limits that the operator has set. A limit without a row has its default.
-- Owner: limit
CREATE TABLE usage_limit (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL, -- '' for the tenant as a whole
    name TEXT NOT NULL,
    value BIGINT NOT NULL, -- 0 for no limit
    PRIMARY KEY (tenant_id, user_id, name)
);

-- Runs that are stored and wait for a free place on a server. A run has a row here or is executed.
-- Owner: run
CREATE TABLE run_queue (
    run_id TEXT PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    queued_at BIGINT NOT NULL,
    position BIGINT NOT NULL -- the place that the stream of the run has shown last
);

CREATE INDEX run_queue_by_conversation ON run_queue (conversation_id);

-- When a run of a tenant, and of a user, last got a place: the one that has waited longest is next.
-- Owner: run
CREATE TABLE run_share (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL, -- '' for the tenant as a whole
    served_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);
