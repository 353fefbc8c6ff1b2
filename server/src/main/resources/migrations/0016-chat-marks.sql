-- Pinned and archived chats.
-- Runs with step 3

-- What the person of a chat has marked it as. A chat without a row is neither pinned nor archived.
-- Owner: conversation
CREATE TABLE chat_mark (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    pinned_at BIGINT, -- NULL unless it is pinned
    archived_at BIGINT -- NULL unless it is archived
);
