package dev.satchel.server.run;

import dev.satchel.http.security.Secrets;
import dev.satchel.server.database.Database;
import java.util.Base64;
import java.util.Optional;

/** The keys that sign links: created once, shared by every server on the database. */
public final class SigningKeyStore {
    /** The name of the secret that servers send to each other. */
    public static final String BETWEEN_SERVERS = "between-servers";

    private static final String INSERT =
            "INSERT INTO signing_key (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING";

    private static final String FIND = "SELECT value FROM signing_key WHERE name = :name";

    private final Database database;

    public SigningKeyStore(Database database) {
        this.database = database;
    }

    /** The key with this name, if a server has created it. */
    public Optional<String> find(String name) {
        return database.read(tx -> tx.query(FIND).bind("name", name).mapTo(String.class).findOne());
    }

    /** The key with this name; the first call creates it. */
    public String key(String name) {
        String fresh = Base64.getEncoder().encodeToString(Secrets.randomBytes(32));
        return database.write(
                tx -> {
                    tx.update(INSERT).bind("name", name).bind("value", fresh).execute();
                    return tx.query(FIND).bind("name", name).mapTo(String.class).one();
                });
    }
}
