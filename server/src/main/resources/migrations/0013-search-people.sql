-- The index of the search has a word for each person. The files beside this one have what differs between the databases.
-- Runs with step 3

-- How far the entries of earlier versions have the word of their person. Until all have it, a search asks for the words of the tenant.
-- Owner: search
CREATE TABLE search_marking (
    name TEXT PRIMARY KEY,
    after_id BIGINT NOT NULL, -- the last entry
    done BIGINT NOT NULL -- 1 when all have it
);

INSERT INTO search_marking (name, after_id, done)
SELECT 'person', -1, CASE WHEN EXISTS (SELECT 1 FROM search_entry) THEN 0 ELSE 1 END;
