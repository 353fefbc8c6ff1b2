-- Keeps conversation_usage and tenant_usage up to date. The file for SQLite does the same.

CREATE FUNCTION count_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed BIGINT := 0;
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO conversation_usage (conversation_id, tenant_id, type) VALUES (NEW.id, NEW.tenant_id, NEW.type);
        INSERT INTO tenant_usage AS u (tenant_id, shard, chats)
        VALUES (NEW.tenant_id, left(NEW.id, 1), (NEW.deleted_at IS NULL AND NEW.type <> 'run')::int)
        ON CONFLICT (tenant_id, shard) DO UPDATE SET chats = u.chats + excluded.chats;
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.type <> 'run' THEN
        changed := (NEW.deleted_at IS NULL)::int - (OLD.deleted_at IS NULL)::int;
    ELSIF OLD.type <> 'run' THEN
        changed := -(OLD.deleted_at IS NULL)::int;
    END IF;
    IF changed <> 0 THEN
        UPDATE tenant_usage SET chats = chats + changed
         WHERE tenant_id = OLD.tenant_id AND shard = left(OLD.id, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER conversation_counted AFTER INSERT OR DELETE OR UPDATE OF deleted_at ON conversation
    FOR EACH ROW EXECUTE FUNCTION count_conversation();

CREATE FUNCTION count_bag_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.arrived_at IS NOT NULL THEN
        UPDATE conversation_usage
           SET file_changes = file_changes + 1,
               files = files - (OLD.deleted_at IS NULL)::int,
               file_bytes = file_bytes - CASE WHEN OLD.deleted_at IS NULL THEN OLD.size ELSE 0 END,
               deleted_files = deleted_files - (OLD.deleted_at IS NOT NULL)::int,
               deleted_bytes = deleted_bytes - CASE WHEN OLD.deleted_at IS NULL THEN 0 ELSE OLD.size END
         WHERE conversation_id = OLD.conversation_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.arrived_at IS NOT NULL THEN
        UPDATE conversation_usage
           SET file_changes = file_changes + 1,
               files = files + (NEW.deleted_at IS NULL)::int,
               file_bytes = file_bytes + CASE WHEN NEW.deleted_at IS NULL THEN NEW.size ELSE 0 END,
               deleted_files = deleted_files + (NEW.deleted_at IS NOT NULL)::int,
               deleted_bytes = deleted_bytes + CASE WHEN NEW.deleted_at IS NULL THEN 0 ELSE NEW.size END
         WHERE conversation_id = NEW.conversation_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER bag_file_counted AFTER INSERT OR DELETE OR UPDATE OF arrived_at, deleted_at ON bag_file
    FOR EACH ROW EXECUTE FUNCTION count_bag_file();

CREATE FUNCTION count_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE conversation_usage SET snapshots = snapshots + 1 WHERE conversation_id = NEW.conversation_id;
    ELSE
        UPDATE conversation_usage SET snapshots = snapshots - 1 WHERE conversation_id = OLD.conversation_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER snapshot_counted AFTER INSERT OR DELETE ON snapshot
    FOR EACH ROW EXECUTE FUNCTION count_snapshot();

CREATE FUNCTION count_snapshot_object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE conversation_usage SET snapshot_bytes = snapshot_bytes + NEW.pack_bytes
         WHERE conversation_id = NEW.conversation_id;
    ELSE
        UPDATE conversation_usage SET snapshot_bytes = snapshot_bytes - OLD.pack_bytes
         WHERE conversation_id = OLD.conversation_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER snapshot_object_counted AFTER INSERT OR DELETE ON snapshot_object
    FOR EACH ROW EXECUTE FUNCTION count_snapshot_object();

CREATE FUNCTION count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.type = 'run' THEN
        UPDATE tenant_usage
           SET run_files = run_files + NEW.files + NEW.deleted_files - OLD.files - OLD.deleted_files,
               run_bytes = run_bytes
                         + NEW.file_bytes + NEW.deleted_bytes - OLD.file_bytes - OLD.deleted_bytes,
               snapshots = snapshots + NEW.snapshots - OLD.snapshots,
               snapshot_bytes = snapshot_bytes + NEW.snapshot_bytes - OLD.snapshot_bytes
         WHERE tenant_id = NEW.tenant_id AND shard = left(NEW.conversation_id, 1);
    ELSE
        UPDATE tenant_usage
           SET files = files + NEW.files - OLD.files,
               file_bytes = file_bytes + NEW.file_bytes - OLD.file_bytes,
               deleted_files = deleted_files + NEW.deleted_files - OLD.deleted_files,
               deleted_bytes = deleted_bytes + NEW.deleted_bytes - OLD.deleted_bytes,
               snapshots = snapshots + NEW.snapshots - OLD.snapshots,
               snapshot_bytes = snapshot_bytes + NEW.snapshot_bytes - OLD.snapshot_bytes
         WHERE tenant_id = NEW.tenant_id AND shard = left(NEW.conversation_id, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER usage_counted AFTER UPDATE ON conversation_usage
    FOR EACH ROW EXECUTE FUNCTION count_usage();

CREATE FUNCTION count_asset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO tenant_usage AS u (tenant_id, shard, assets, asset_bytes)
        VALUES (NEW.tenant_id, left(NEW.id, 1), 1, NEW.size)
        ON CONFLICT (tenant_id, shard) DO UPDATE
           SET assets = u.assets + 1, asset_bytes = u.asset_bytes + excluded.asset_bytes;
    ELSE
        UPDATE tenant_usage SET assets = assets - 1, asset_bytes = asset_bytes - OLD.size
         WHERE tenant_id = OLD.tenant_id AND shard = left(OLD.id, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER asset_counted AFTER INSERT OR DELETE ON asset
    FOR EACH ROW EXECUTE FUNCTION count_asset();

CREATE FUNCTION count_skill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO tenant_usage AS u (tenant_id, shard, skills, skill_bytes)
        VALUES (NEW.tenant_id, left(NEW.id, 1), CASE WHEN NEW.removed_at IS NULL THEN 1 ELSE 0 END, NEW.size)
        ON CONFLICT (tenant_id, shard) DO UPDATE
           SET skills = u.skills + excluded.skills, skill_bytes = u.skill_bytes + excluded.skill_bytes;
    ELSIF OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL THEN
        UPDATE tenant_usage SET skills = skills - 1, skill_bytes = skill_bytes - OLD.size
         WHERE tenant_id = OLD.tenant_id AND shard = left(OLD.id, 1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER skill_counted AFTER INSERT OR UPDATE ON skill
    FOR EACH ROW EXECUTE FUNCTION count_skill();
