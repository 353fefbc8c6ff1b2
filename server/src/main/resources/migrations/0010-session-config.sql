-- What clients of agent servers set for a session and for an agent.
-- Runs with step 3

-- JSON: the tools that the session allows and refuses, NULL for those of the agent.
ALTER TABLE session ADD COLUMN config TEXT;

-- JSON: a description, and settings that only clients read; NULL for none.
ALTER TABLE agent ADD COLUMN notes TEXT;
