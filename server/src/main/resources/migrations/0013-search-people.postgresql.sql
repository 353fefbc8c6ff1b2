-- Whose entry it is; empty for an asset, which everybody in the tenant may find. NULL in entries of earlier versions.
ALTER TABLE search_entry ADD COLUMN user_id TEXT;

CREATE INDEX search_entry_by_person ON search_entry (tenant_id, user_id, at DESC, id DESC);

-- A row that is inserted here becomes an entry, an update replaces its words. The first three words say whose entry it is: a
-- tenant's, of which kind, and a person's or an asset.
CREATE OR REPLACE VIEW search_input AS
SELECT tenant_id, kind, conversation_id, item_id, page, text, at, '' AS words, id FROM search_entry;

CREATE FUNCTION search_person(kind TEXT, conversation TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN kind = 'asset' THEN ''
                ELSE (SELECT c.user_id FROM conversation c WHERE c.id = conversation) END
$$;

CREATE FUNCTION search_vector(tenant_id TEXT, kind TEXT, person TEXT, words TEXT)
RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    tenant TEXT := encode(convert_to(tenant_id, 'UTF8'), 'hex');
    own TEXT := CASE WHEN kind IN ('file', 'asset') THEN '§f' ELSE '§m' END;
    visible TEXT := CASE WHEN kind = 'asset' THEN '§a' || tenant
                         ELSE '§p' || tenant || 'x' || encode(convert_to(person, 'UTF8'), 'hex') END;
BEGIN
    RETURN (SELECT string_agg('''' || word || ''':' || place, ' ')::tsvector
              FROM unnest(string_to_array('§' || tenant || ' ' || own || tenant || ' ' || visible || ' ' || words, ' '))
                   WITH ORDINALITY AS named (word, place)
             WHERE word <> '');
END $$;

CREATE OR REPLACE FUNCTION add_search_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person TEXT := search_person(NEW.kind, NEW.conversation_id);
BEGIN
    INSERT INTO search_entry (tenant_id, kind, conversation_id, item_id, page, text, at, user_id, words)
    VALUES (NEW.tenant_id, NEW.kind, NEW.conversation_id, NEW.item_id, NEW.page, NEW.text, NEW.at, person,
            search_vector(NEW.tenant_id, NEW.kind, person, NEW.words));
    RETURN NEW;
END $$;

CREATE FUNCTION update_search_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person TEXT := search_person(OLD.kind, OLD.conversation_id);
BEGIN
    UPDATE search_entry
       SET user_id = person, words = search_vector(OLD.tenant_id, OLD.kind, person, NEW.words)
     WHERE id = OLD.id;
    RETURN NEW;
END $$;

CREATE TRIGGER search_input_updated INSTEAD OF UPDATE ON search_input
    FOR EACH ROW EXECUTE FUNCTION update_search_entry();
