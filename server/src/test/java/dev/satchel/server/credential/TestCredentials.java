package dev.satchel.server.credential;

import dev.satchel.http.outbound.PrivateHosts;
import dev.satchel.server.database.Database;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** Credentials of a database, whose services may be on this machine. */
public final class TestCredentials {
    private TestCredentials() {}

    /** With the key file of a data folder. */
    public static CredentialService service(Database database, Path data, Clock clock) {
        return service(database, SealingKeys.of(SealingKeyFile.in(data)), clock);
    }

    public static CredentialService service(Database database, SealingKeys keys, Clock clock) {
        CredentialStore store = new CredentialStore();
        PrivateHosts hosts = PrivateHosts.from(Map.of(PrivateHosts.VARIABLE, "127.0.0.1"));
        OAuthConnections connections =
                new OAuthConnections(
                        database,
                        store,
                        keys,
                        new OAuthHttp(hosts),
                        () -> URI.create("http://satchel.test"),
                        clock);
        return new CredentialService(database, store, keys, connections, clock);
    }
}
