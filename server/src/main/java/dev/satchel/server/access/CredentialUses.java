package dev.satchel.server.access;

import dev.satchel.server.database.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When keys and browser sessions were last used. It is stored every few seconds, so that a request
 * that only reads writes nothing; a crash loses the last of them. Shared between threads.
 */
public final class CredentialUses {
    private final Database database;
    private final AccessStore store;
    private final Clock clock;
    private final Map<String, Instant> keys = new ConcurrentHashMap<>();
    private final Map<String, Instant> sessions = new ConcurrentHashMap<>();

    public CredentialUses(Database database, AccessStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    void addKey(String hash) {
        keys.put(hash, clock.instant());
    }

    void addSession(String hash) {
        sessions.put(hash, clock.instant());
    }

    /** Stores what was added since the last call. */
    public void save() {
        if (keys.isEmpty() && sessions.isEmpty()) {
            return;
        }
        Map<String, Instant> ofKeys = Map.copyOf(keys);
        Map<String, Instant> ofSessions = Map.copyOf(sessions);
        database.change(
                tx -> {
                    ofKeys.forEach((hash, at) -> store.keys().setLastUse(tx, hash, at));
                    ofSessions.forEach((hash, at) -> store.logins().setLastUse(tx, hash, at));
                });
        ofKeys.forEach(keys::remove);
        ofSessions.forEach(sessions::remove);
    }
}
