DROP VIEW search_input;

-- A row that is inserted here becomes an entry and its words, an update replaces the words. The first three words say whose
-- entry it is: a tenant's, of which kind, and a person's or an asset.
CREATE VIEW search_input AS
SELECT tenant_id, kind, conversation_id, item_id, page, text, at, '' AS words, id FROM search_entry;

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
                || iif(NEW.kind = 'asset', ' §a' || hex(NEW.tenant_id),
                       ' §p' || hex(NEW.tenant_id) || 'x'
                           || (SELECT hex(c.user_id) FROM conversation c WHERE c.id = NEW.conversation_id))
                || ' ' || NEW.words);
END;

CREATE TRIGGER search_input_updated INSTEAD OF UPDATE ON search_input
BEGIN
    DELETE FROM search_index WHERE rowid = OLD.id;
    INSERT INTO search_index (rowid, words)
    VALUES (OLD.id,
            '§' || hex(OLD.tenant_id) || iif(OLD.kind IN ('file', 'asset'), ' §f', ' §m') || hex(OLD.tenant_id)
                || iif(OLD.kind = 'asset', ' §a' || hex(OLD.tenant_id),
                       ' §p' || hex(OLD.tenant_id) || 'x'
                           || (SELECT hex(c.user_id) FROM conversation c WHERE c.id = OLD.conversation_id))
                || ' ' || NEW.words);
END;
