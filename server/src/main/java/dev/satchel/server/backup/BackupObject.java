package dev.satchel.server.backup;

import dev.satchel.server.objectstore.ListedObject;

/** An object of a backup: where it belongs, and the hash of its bytes. */
record BackupObject(String key, long size, long modified, String sha256) {
    /** Whether a backup of this object need not read it again: objects do not change. */
    boolean isSame(ListedObject listed) {
        return size == listed.size() && modified == listed.modified().toEpochMilli();
    }
}
