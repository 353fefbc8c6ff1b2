-- Keeps conversation_usage and tenant_usage up to date. The file for PostgreSQL does the same.

CREATE TRIGGER conversation_inserted AFTER INSERT ON conversation
BEGIN
    INSERT INTO conversation_usage (conversation_id, tenant_id, type) VALUES (NEW.id, NEW.tenant_id, NEW.type);
    INSERT INTO tenant_usage (tenant_id, shard, chats)
    VALUES (NEW.tenant_id, substr(NEW.id, 1, 1), NEW.deleted_at IS NULL AND NEW.type <> 'run')
    ON CONFLICT (tenant_id, shard) DO UPDATE SET chats = chats + excluded.chats;
END;

CREATE TRIGGER conversation_updated AFTER UPDATE OF deleted_at ON conversation
WHEN NEW.type <> 'run' AND (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
BEGIN
    UPDATE tenant_usage SET chats = chats + iif(NEW.deleted_at IS NULL, 1, -1)
     WHERE tenant_id = NEW.tenant_id AND shard = substr(NEW.id, 1, 1);
END;

CREATE TRIGGER conversation_removed AFTER DELETE ON conversation
WHEN OLD.type <> 'run' AND OLD.deleted_at IS NULL
BEGIN
    UPDATE tenant_usage SET chats = chats - 1
     WHERE tenant_id = OLD.tenant_id AND shard = substr(OLD.id, 1, 1);
END;

CREATE TRIGGER bag_file_inserted AFTER INSERT ON bag_file
WHEN NEW.arrived_at IS NOT NULL
BEGIN
    UPDATE conversation_usage
       SET file_changes = file_changes + 1,
           files = files + (NEW.deleted_at IS NULL),
           file_bytes = file_bytes + iif(NEW.deleted_at IS NULL, NEW.size, 0),
           deleted_files = deleted_files + (NEW.deleted_at IS NOT NULL),
           deleted_bytes = deleted_bytes + iif(NEW.deleted_at IS NULL, 0, NEW.size)
     WHERE conversation_id = NEW.conversation_id;
END;

CREATE TRIGGER bag_file_updated AFTER UPDATE OF arrived_at, deleted_at ON bag_file
WHEN NEW.arrived_at IS NOT NULL
BEGIN
    UPDATE conversation_usage
       SET file_changes = file_changes + 1,
           files = files + (NEW.deleted_at IS NULL) - (OLD.arrived_at IS NOT NULL AND OLD.deleted_at IS NULL),
           file_bytes = file_bytes + iif(NEW.deleted_at IS NULL, NEW.size, 0)
                      - iif(OLD.arrived_at IS NOT NULL AND OLD.deleted_at IS NULL, OLD.size, 0),
           deleted_files = deleted_files + (NEW.deleted_at IS NOT NULL)
                         - (OLD.arrived_at IS NOT NULL AND OLD.deleted_at IS NOT NULL),
           deleted_bytes = deleted_bytes + iif(NEW.deleted_at IS NULL, 0, NEW.size)
                         - iif(OLD.arrived_at IS NOT NULL AND OLD.deleted_at IS NOT NULL, OLD.size, 0)
     WHERE conversation_id = NEW.conversation_id;
END;

CREATE TRIGGER bag_file_removed AFTER DELETE ON bag_file
WHEN OLD.arrived_at IS NOT NULL
BEGIN
    UPDATE conversation_usage
       SET file_changes = file_changes + 1,
           files = files - (OLD.deleted_at IS NULL),
           file_bytes = file_bytes - iif(OLD.deleted_at IS NULL, OLD.size, 0),
           deleted_files = deleted_files - (OLD.deleted_at IS NOT NULL),
           deleted_bytes = deleted_bytes - iif(OLD.deleted_at IS NULL, 0, OLD.size)
     WHERE conversation_id = OLD.conversation_id;
END;

CREATE TRIGGER snapshot_inserted AFTER INSERT ON snapshot
BEGIN
    UPDATE conversation_usage SET snapshots = snapshots + 1 WHERE conversation_id = NEW.conversation_id;
END;

CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshot
BEGIN
    UPDATE conversation_usage SET snapshots = snapshots - 1 WHERE conversation_id = OLD.conversation_id;
END;

CREATE TRIGGER snapshot_object_inserted AFTER INSERT ON snapshot_object
BEGIN
    UPDATE conversation_usage SET snapshot_bytes = snapshot_bytes + NEW.pack_bytes
     WHERE conversation_id = NEW.conversation_id;
END;

CREATE TRIGGER snapshot_object_removed AFTER DELETE ON snapshot_object
BEGIN
    UPDATE conversation_usage SET snapshot_bytes = snapshot_bytes - OLD.pack_bytes
     WHERE conversation_id = OLD.conversation_id;
END;

CREATE TRIGGER conversation_usage_updated AFTER UPDATE ON conversation_usage
BEGIN
    UPDATE tenant_usage
       SET files = files + iif(NEW.type = 'run', 0, NEW.files - OLD.files),
           file_bytes = file_bytes + iif(NEW.type = 'run', 0, NEW.file_bytes - OLD.file_bytes),
           deleted_files = deleted_files + iif(NEW.type = 'run', 0, NEW.deleted_files - OLD.deleted_files),
           deleted_bytes = deleted_bytes + iif(NEW.type = 'run', 0, NEW.deleted_bytes - OLD.deleted_bytes),
           run_files = run_files
                     + iif(NEW.type = 'run',
                           NEW.files + NEW.deleted_files - OLD.files - OLD.deleted_files, 0),
           run_bytes = run_bytes
                     + iif(NEW.type = 'run',
                           NEW.file_bytes + NEW.deleted_bytes - OLD.file_bytes - OLD.deleted_bytes, 0),
           snapshots = snapshots + NEW.snapshots - OLD.snapshots,
           snapshot_bytes = snapshot_bytes + NEW.snapshot_bytes - OLD.snapshot_bytes
     WHERE tenant_id = NEW.tenant_id AND shard = substr(NEW.conversation_id, 1, 1);
END;

CREATE TRIGGER asset_inserted AFTER INSERT ON asset
BEGIN
    INSERT INTO tenant_usage (tenant_id, shard, assets, asset_bytes)
    VALUES (NEW.tenant_id, substr(NEW.id, 1, 1), 1, NEW.size)
    ON CONFLICT (tenant_id, shard) DO UPDATE
       SET assets = assets + 1, asset_bytes = asset_bytes + excluded.asset_bytes;
END;

CREATE TRIGGER asset_removed AFTER DELETE ON asset
BEGIN
    UPDATE tenant_usage SET assets = assets - 1, asset_bytes = asset_bytes - OLD.size
     WHERE tenant_id = OLD.tenant_id AND shard = substr(OLD.id, 1, 1);
END;

CREATE TRIGGER skill_inserted AFTER INSERT ON skill
BEGIN
    INSERT INTO tenant_usage (tenant_id, shard, skills, skill_bytes)
    VALUES (NEW.tenant_id, substr(NEW.id, 1, 1), iif(NEW.removed_at IS NULL, 1, 0), NEW.size)
    ON CONFLICT (tenant_id, shard) DO UPDATE
       SET skills = skills + excluded.skills, skill_bytes = skill_bytes + excluded.skill_bytes;
END;

CREATE TRIGGER skill_removed AFTER UPDATE ON skill
    WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL
BEGIN
    UPDATE tenant_usage SET skills = skills - 1, skill_bytes = skill_bytes - OLD.size
     WHERE tenant_id = OLD.tenant_id AND shard = substr(OLD.id, 1, 1);
END;
