package dev.satchel.server.credential;

import dev.satchel.server.database.Database;
import java.util.List;

/**
 * Seals every credential that another key has sealed with the current one. Servers may run
 * meanwhile if they have both keys.
 */
public final class CredentialResealer {
    private final Database database;
    private final CredentialStore store;
    private final SealingKeys keys;

    public CredentialResealer(Database database, CredentialStore store, SealingKeys keys) {
        this.database = database;
        this.store = store;
        this.keys = keys;
    }

    /** Returns how many were sealed again. */
    public int reseal() {
        String current = keys.currentId();
        int count = 0;
        while (true) {
            List<StoredCredential> old = database.read(tx -> store.sealedOtherwise(tx, current));
            if (old.isEmpty()) {
                return count;
            }
            for (StoredCredential credential : old) {
                String text = keys.open(credential.sealed(), credential.context());
                SealingKeys.Sealed sealed = keys.seal(text, credential.context());
                count += database.write(tx -> store.reseal(tx, credential, sealed)) ? 1 : 0;
            }
        }
    }
}
