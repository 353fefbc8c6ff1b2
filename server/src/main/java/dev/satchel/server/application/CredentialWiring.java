package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.callback.RunCredentialRoutes;
import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.credential.CredentialRoutes;
import dev.satchel.server.credential.CredentialService;
import dev.satchel.server.credential.CredentialStore;
import dev.satchel.server.credential.OAuthConnections;
import dev.satchel.server.credential.OAuthHttp;
import dev.satchel.server.credential.SealingKeyFile;
import dev.satchel.server.credential.SealingKeys;
import java.net.URI;
import java.time.Clock;
import java.util.function.Supplier;

/** Credentials of agents. */
final class CredentialWiring {
    private final CredentialService credentials;

    /** {@code publicUrl} is where a service sends the browser back to. */
    CredentialWiring(
            CommonServices common,
            StorageConfiguration storage,
            ReachableHosts reachableHosts,
            Supplier<URI> publicUrl) {
        SealingKeys keys = keys(storage);
        CredentialStore store = new CredentialStore();
        Clock clock = common.clocks().time();
        this.credentials =
                new CredentialService(
                        common.database(),
                        store,
                        keys,
                        new OAuthConnections(
                                common.database(),
                                store,
                                keys,
                                new OAuthHttp(reachableHosts),
                                publicUrl,
                                clock),
                        clock);
    }

    void addTo(
            Router router, Authentication access, AgentService agents, CallbackService callbacks) {
        new CredentialRoutes(credentials, agents, access).addTo(router);
        new RunCredentialRoutes(callbacks, credentials).addTo(router);
    }

    private static SealingKeys keys(StorageConfiguration storage) {
        Secret configured = storage.secretKey();
        if (configured != null) {
            return SealingKeys.configured(configured.value());
        }
        return switch (storage.database()) {
            case DatabaseConfiguration.Sqlite _ ->
                    SealingKeys.of(SealingKeyFile.in(storage.dataDirectory()));
            case DatabaseConfiguration.Postgresql _ -> SealingKeys.missing();
        };
    }
}
