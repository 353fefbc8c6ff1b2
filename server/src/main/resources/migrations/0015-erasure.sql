-- Receipts of the erasure of people.
-- Runs with step 3

-- People who were removed, and when everything of them was erased. The row stays: it is the receipt.
-- Owner: deletion
CREATE TABLE person_erasure (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL,
    removed_at BIGINT NOT NULL,
    finished_at BIGINT, -- NULL while something of the person is left
    PRIMARY KEY (tenant_id, user_id)
);

CREATE INDEX person_erasure_unfinished ON person_erasure (tenant_id, user_id) WHERE finished_at IS NULL;

-- How much of each kind was erased of a person, counted in the transactions that erase it.
-- Owner: deletion
CREATE TABLE person_erasure_count (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, kind)
);

INSERT INTO person_erasure (tenant_id, user_id, removed_at)
SELECT tenant_id, id, removed_at FROM app_user WHERE removed_at IS NOT NULL;
