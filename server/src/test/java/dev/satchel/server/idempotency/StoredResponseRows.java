package dev.satchel.server.idempotency;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.net.URI;
import java.util.List;

/** Reads and changes the stored rows in the database. */
final class StoredResponseRows {
    private StoredResponseRows() {}

    /** The state after a crash between the first commit of a run and the last of its key. */
    static void forgetWhatHasBegun(URI url) {
        try (Database database = Databases.postgresql(url)) {
            database.change(
                    tx ->
                            tx.update(
                                            "UPDATE idempotency_key SET state = 'running',"
                                                    + " lease_until = 0")
                                    .execute());
        }
    }

    static List<String> in(URI url) {
        try (Database database = Databases.postgresql(url)) {
            return database.read(
                    tx ->
                            tx.query("SELECT * FROM idempotency_key").mapToMap().list().stream()
                                    .map(Object::toString)
                                    .toList());
        }
    }
}
