-- Threads whose messages are a tree.
-- Runs with step 3

-- Messages that do not follow the one with the number before. All other messages do, so that a thread without branches
-- has no row.
-- Owner: conversation
CREATE TABLE branch (
    conversation_id TEXT NOT NULL REFERENCES conversation (id),
    seq BIGINT NOT NULL, -- the first message of the branch
    parent_seq BIGINT NOT NULL, -- the message that it follows, 0 for none
    used BIGINT NOT NULL DEFAULT 0, -- grows: orders the branches by when the head was at their last message
    PRIMARY KEY (conversation_id, seq)
);

-- The head of a thread that has branches, or had a head that is not its last message.
-- Owner: conversation
CREATE TABLE thread_head (
    conversation_id TEXT PRIMARY KEY REFERENCES conversation (id),
    head_seq BIGINT, -- the last message of the active path: NULL for the last message of all, 0 before the first one
    off_path BIGINT NOT NULL -- how many messages are not on that path
);
