-- The index of the search. The file for SQLite does the same.

-- Texts that can be searched: messages, titles, and names and pages of files.
-- Owner: search
CREATE TABLE search_entry (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    kind TEXT NOT NULL, -- message, chat, file, asset
    conversation_id TEXT REFERENCES conversation (id) ON DELETE CASCADE, -- NULL for an asset
    item_id TEXT NOT NULL,
    page BIGINT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    words tsvector NOT NULL -- made by the server, which folds case and accents
);

CREATE INDEX search_entry_by_item ON search_entry (conversation_id, item_id);

CREATE INDEX search_entry_by_time ON search_entry (tenant_id, at DESC, id DESC);

CREATE INDEX search_index ON search_entry USING gin (words);

-- A row that is inserted here becomes an entry. The first two words say whose entry it is.
CREATE VIEW search_input AS
SELECT tenant_id, kind, conversation_id, item_id, page, text, at, '' AS words FROM search_entry;

CREATE FUNCTION add_search_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tenant TEXT := encode(convert_to(NEW.tenant_id, 'UTF8'), 'hex');
    own TEXT := CASE WHEN NEW.kind IN ('file', 'asset') THEN '§f' ELSE '§m' END;
BEGIN
    INSERT INTO search_entry (tenant_id, kind, conversation_id, item_id, page, text, at, words)
    SELECT NEW.tenant_id, NEW.kind, NEW.conversation_id, NEW.item_id, NEW.page, NEW.text, NEW.at,
           string_agg('''' || word || ''':' || place, ' ')::tsvector
      FROM unnest(string_to_array('§' || tenant || ' ' || own || tenant || ' ' || NEW.words, ' '))
           WITH ORDINALITY AS named (word, place)
     WHERE word <> '';
    RETURN NEW;
END $$;

CREATE TRIGGER search_input_inserted INSTEAD OF INSERT ON search_input
    FOR EACH ROW EXECUTE FUNCTION add_search_entry();

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

CREATE FUNCTION count_document_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO tenant_usage AS u (tenant_id, shard, texts, text_bytes)
        VALUES (NEW.tenant_id, left(NEW.sha256, 1), (NEW.size > 0)::int, NEW.size)
        ON CONFLICT (tenant_id, shard) DO UPDATE
           SET texts = u.texts + excluded.texts, text_bytes = u.text_bytes + excluded.text_bytes;
    ELSE
        UPDATE tenant_usage SET texts = texts - (OLD.size > 0)::int, text_bytes = text_bytes - OLD.size
         WHERE tenant_id = OLD.tenant_id AND shard = left(OLD.sha256, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER document_text_counted AFTER INSERT OR DELETE ON document_text
    FOR EACH ROW EXECUTE FUNCTION count_document_text();
