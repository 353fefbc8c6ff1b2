-- The index of the search. The file for PostgreSQL does the same.

-- Texts that can be searched: messages, titles, and names and pages of files. `id` grows with `at`, so that the index
-- returns the newest first.
-- Owner: search
CREATE TABLE search_entry (
    id INTEGER PRIMARY KEY, -- at * 2^20, and a number
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    kind TEXT NOT NULL, -- message, chat, file, asset
    conversation_id TEXT REFERENCES conversation (id) ON DELETE CASCADE, -- NULL for an asset
    item_id TEXT NOT NULL,
    page BIGINT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);

CREATE INDEX search_entry_by_item ON search_entry (conversation_id, item_id);

-- The words of each entry. They are made by the server, which folds case and accents.
CREATE VIRTUAL TABLE search_index USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '2 3'
);

-- A row that is inserted here becomes an entry and its words. The first two words say whose entry it is.
CREATE VIEW search_input AS
SELECT tenant_id, kind, conversation_id, item_id, page, text, at, '' AS words FROM search_entry;

CREATE TRIGGER search_input_inserted INSTEAD OF INSERT ON search_input
BEGIN
    INSERT INTO search_entry (id, tenant_id, kind, conversation_id, item_id, page, text, at)
    SELECT COALESCE((SELECT MAX(id) + 1 FROM search_entry
                      WHERE id BETWEEN NEW.at << 20 AND (NEW.at << 20) + 1048575),
                    NEW.at << 20),
           NEW.tenant_id, NEW.kind, NEW.conversation_id, NEW.item_id, NEW.page, NEW.text, NEW.at;
    INSERT INTO search_index (rowid, words)
    VALUES (last_insert_rowid(),
            '§' || hex(NEW.tenant_id) || iif(NEW.kind IN ('file', 'asset'), ' §f', ' §m') || hex(NEW.tenant_id)
                || ' ' || NEW.words);
END;

CREATE TRIGGER search_entry_removed AFTER DELETE ON search_entry
BEGIN
    DELETE FROM search_index WHERE rowid = OLD.id;
END;

-- How far rows of earlier versions are indexed, for each kind of them.
-- Owner: search
CREATE TABLE search_progress (
    kind TEXT PRIMARY KEY, -- message, chat, file, asset
    after_id TEXT NOT NULL, -- the last row
    after_seq BIGINT NOT NULL,
    done BIGINT NOT NULL -- 1 when all are
);

INSERT INTO search_progress (kind, after_id, after_seq, done)
VALUES ('message', '', 0, 0), ('chat', '', 0, 0), ('file', '', 0, 0), ('asset', '', 0, 0);

CREATE TRIGGER document_text_inserted AFTER INSERT ON document_text
BEGIN
    INSERT INTO tenant_usage (tenant_id, shard, texts, text_bytes)
    VALUES (NEW.tenant_id, substr(NEW.sha256, 1, 1), NEW.size > 0, NEW.size)
    ON CONFLICT (tenant_id, shard) DO UPDATE
       SET texts = texts + excluded.texts, text_bytes = text_bytes + excluded.text_bytes;
END;

CREATE TRIGGER document_text_removed AFTER DELETE ON document_text
BEGIN
    UPDATE tenant_usage SET texts = texts - (OLD.size > 0), text_bytes = text_bytes - OLD.size
     WHERE tenant_id = OLD.tenant_id AND shard = substr(OLD.sha256, 1, 1);
END;
