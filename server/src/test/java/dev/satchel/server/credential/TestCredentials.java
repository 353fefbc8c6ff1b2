package dev.satchel.server.credential;

import dev.satchel.http.outbound.ReachableHosts;
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
        ReachableHosts hosts = ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, "127.0.0.1"));
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
