package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.CredentialUses;
import dev.satchel.server.access.FailedLoginLimiter;
import dev.satchel.server.audit.AuditRoutes;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.idempotency.IdempotentAttempts;
import dev.satchel.server.idempotency.IdempotentWrites;
import dev.satchel.server.limit.LimitRoutes;
import dev.satchel.server.limit.LimitService;
import dev.satchel.server.limit.RequestRateLimiter;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.user.ApiKeyFile;
import dev.satchel.server.user.People;
import dev.satchel.server.user.oidc.OidcClient;
import dev.satchel.server.user.oidc.OidcSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Authentication of callers, and the repetition of their writes. */
final class AccessWiring {
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration SWEEP = Duration.ofMinutes(10);

    /** How long a repeated request waits for the response of the first. */
    private static final Duration REPEAT_TIMEOUT = Duration.ofSeconds(10);

    private final ApiKeys keys;
    private final BrowserLogins logins;
    private final Authentication authentication;
    private final CommonServices common;
    private final Supplier<URI> publicUrl;
    private final LimitService limits;

    /**
     * @param responseAge how long responses are stored for repeated requests
     * @param forOneTenant whether a second tenant is refused
     * @param proxies whose word about the address of a client is believed
     */
    AccessWiring(
            CommonServices common,
            Duration responseAge,
            Supplier<URI> publicUrl,
            BooleanSupplier forOneTenant,
            TrustedProxies proxies) {
        this.publicUrl = publicUrl;
        this.common = common;
        this.keys =
                new ApiKeys(
                        common.database(),
                        common.stores().access,
                        common.clocks().time(),
                        forOneTenant);
        this.logins =
                new BrowserLogins(
                        common.database(), common.stores().access, common.clocks().time());
        IdempotentAttempts attempts =
                new IdempotentAttempts(common.database(), responseAge, common.clocks().leases());
        Scheduler scheduler = common.closing().add(new Scheduler("access"));
        scheduler.every(RENEWAL, attempts::renew);
        scheduler.every(SWEEP, attempts::sweep);
        IdempotentWrites writes = new IdempotentWrites(attempts, REPEAT_TIMEOUT);
        RequestRateLimiter rates =
                new RequestRateLimiter(common.limits(), common.clocks().steady());
        this.limits = common.limits();
        CredentialUses uses =
                new CredentialUses(
                        common.database(), common.stores().access, common.clocks().time());
        this.authentication =
                new Authentication(
                        keys,
                        logins,
                        uses,
                        new FailedLoginLimiter(common.clocks().time(), proxies),
                        publicUrl,
                        handler -> rates.limit(common.quota().limit(writes.once(handler))));
        scheduler.every(RENEWAL, uses::save);
        scheduler.every(RENEWAL, authentication.open()::endRevoked);
    }

    /**
     * @param provider where people sign in too; null without one
     */
    void addTo(
            Router router,
            People.Removal removal,
            @Nullable OidcSettings provider,
            ReachableHosts hosts) {
        Clock clock = common.clocks().time();
        Optional<OidcClient> client =
                Optional.ofNullable(provider)
                        .map(settings -> new OidcClient(settings, hosts, publicUrl, clock));
        new People(common.database(), common.stores().access, removal, client, clock)
                .addTo(
                        router,
                        authentication,
                        keys,
                        logins,
                        publicUrl,
                        caller -> limits.shown(caller.tenant(), caller.user()));
        new LimitRoutes(limits, authentication).addTo(router);
        new AuditRoutes(common.database(), new AuditStore(), authentication, clock).addTo(router);
    }

    ApiKeys keys() {
        return keys;
    }

    Authentication authentication() {
        return authentication;
    }

    BrowserLogins logins() {
        return logins;
    }

    /** Accepts the configured key, or one in a file of the data folder, which it returns. */
    Optional<ApiKeyFile> acceptKey(@Nullable Secret configured, Path dataDirectory)
            throws StartException {
        if (configured != null) {
            keys.acceptConfigured(new CallerSecret(configured.value()));
            return Optional.empty();
        }
        ApiKeyFile file = ApiKeyFile.in(dataDirectory);
        try {
            keys.acceptFirst(file.readOrCreate());
            return Optional.of(file);
        } catch (IOException e) {
            throw new StartException("cannot store the API key in " + file.path(), e);
        }
    }
}
