-- Runs with step 3
-- The threads of clients that send all messages with every request.

-- Which conversation has a thread, by the hash of its messages up to one of the user.
-- Owner: dialect.openai
CREATE TABLE openai_thread (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    message_id TEXT NOT NULL,
    history TEXT NOT NULL,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, message_id, history)
);

CREATE INDEX openai_thread_by_history ON openai_thread (tenant_id, history, created_at DESC);
