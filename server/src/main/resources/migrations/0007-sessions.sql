CREATE TABLE session (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    agent_id TEXT,
    agent_name TEXT NOT NULL,
    setup TEXT NOT NULL,
    model TEXT,
    parent_id TEXT,
    status TEXT NOT NULL
);
