package dev.satchel.server.credential;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.credential.StoredCredential.Kind;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Credentials of kind OAuth: a person logs in at the service, and their tokens are renewed. */
public final class OAuthConnections {
    /** The page that a service sends the browser back to. */
    public static final String PAGE = "/connect";

    /** A token is renewed when it is valid for less than this. */
    private static final Duration AHEAD = Duration.ofSeconds(30);

    /** Longer than the timeout of the request that renews. */
    private static final Duration RENEWAL = Duration.ofSeconds(40);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final String UNCONNECTED = "not connected: a person has to log in";

    /** A program on the computer of the person listens there. */
    private static final Pattern LOOPBACK =
            Pattern.compile("http://(127\\.0\\.0\\.1|\\[::1]):[0-9]{1,5}/[a-z/]{0,50}");

    private final Database database;
    private final CredentialStore store;
    private final SealingKeys keys;
    private final OAuthDiscovery discovery;
    private final OAuthClient client;
    private final Supplier<URI> publicUrl;
    private final Clock clock;

    public OAuthConnections(
            Database database,
            CredentialStore store,
            SealingKeys keys,
            OAuthHttp http,
            Supplier<URI> publicUrl,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.keys = keys;
        this.discovery = new OAuthDiscovery(http);
        this.client = new OAuthClient(http);
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /** A credential without tokens, of a service whose addresses were found. */
    StoredCredential prepare(Caller caller, CredentialName name, OAuthSettings settings)
            throws InterruptedException {
        try {
            OAuthGrant grant = discovery.discover(settings);
            long now = clock.millis();
            String context = StoredCredential.context(caller.tenant(), name, Kind.OAUTH);
            SealingKeys.Sealed sealed = keys.seal(grant.toJson(), context);
            return new StoredCredential(
                    caller.tenant(), name, Kind.OAUTH, sealed, null, null, UNCONNECTED, now, now);
        } catch (IOException | IllegalArgumentException e) {
            throw Fields.invalid("oauth", "cannot be used: " + e.getMessage());
        }
    }

    /** The address at which a person logs in; afterwards the service calls the redirect address. */
    String authorizationUrl(StoredCredential credential, @Nullable String wantedRedirect)
            throws InterruptedException {
        String redirectUri = wantedRedirect == null ? publicUrl.get() + PAGE : wantedRedirect;
        if (wantedRedirect != null && !LOOPBACK.matcher(wantedRedirect).matches()) {
            throw Fields.invalid(
                    "redirectUri", "must be an address of this computer: http://127.0.0.1:PORT/");
        }
        OAuthGrant before = open(credential);
        try {
            OAuthGrant grant = client.registered(before, redirectUri);
            OAuthLogin login = OAuthLogin.begin(before, grant, redirectUri, clock.millis());
            String sealed = login.sealed(keys, credential);
            database.change(tx -> store.beginLogin(tx, credential, sealed));
            return loginAddress(grant, login, credential.name());
        } catch (IOException | IllegalArgumentException e) {
            throw new SatchelException(ErrorCode.UNPROCESSABLE, String.valueOf(e.getMessage()));
        }
    }

    private static String loginAddress(OAuthGrant grant, OAuthLogin login, CredentialName name) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", String.valueOf(grant.clientId()));
        query.put("redirect_uri", login.redirectUri());
        query.put("code_challenge", login.challenge());
        query.put("code_challenge_method", "S256");
        query.put("state", login.state(name));
        if (!grant.scopes().isEmpty()) {
            query.put("scope", String.join(" ", grant.scopes()));
        }
        String resource = grant.resource();
        if (resource != null) {
            query.put("resource", resource);
        }
        String address = grant.authorizationUrl();
        return address + (address.contains("?") ? "&" : "?") + OAuthClient.form(query);
    }

    /** Stores the tokens of a login that the person has finished. A login is used once. */
    StoredCredential finish(Caller caller, String state, String code) throws InterruptedException {
        CredentialName name = OAuthLogin.nameIn(state);
        StoredCredential credential =
                database.read(tx -> store.find(tx, caller.tenant(), name))
                        .filter(found -> found.kind() == Kind.OAUTH)
                        .orElseThrow(OAuthLogin::invalid);
        OAuthLogin login = use(credential, state);
        OAuthGrant grant = login.registered(open(credential));
        try {
            OAuthClient.Tokens tokens =
                    client.exchange(grant, code, login.verifier(), login.redirectUri());
            return changed(credential, grant, tokens, clock.millis());
        } catch (IOException | IllegalArgumentException e) {
            throw new SatchelException(ErrorCode.UNPROCESSABLE, String.valueOf(e.getMessage()));
        }
    }

    private OAuthLogin use(StoredCredential credential, String state) {
        String sealed =
                database.read(tx -> store.findLogin(tx, credential))
                        .orElseThrow(OAuthLogin::invalid);
        OAuthLogin login = OAuthLogin.open(sealed, keys, credential);
        if (!login.isOf(state, credential.name(), clock.millis())
                || !database.write(tx -> store.useLogin(tx, credential, sealed))) {
            throw OAuthLogin.invalid();
        }
        return login;
    }

    /** The access token, renewed if it ends soon. Of all servers one renews it. */
    CredentialValue value(StoredCredential credential) throws InterruptedException {
        StoredCredential current = credential;
        while (true) {
            OAuthGrant grant = open(current);
            String access = grant.accessToken();
            if (access == null || current.problem() != null) {
                throw notConnected(current);
            }
            Long expires = current.expiresAt();
            long now = clock.millis();
            if (expires == null || now < expires - AHEAD.toMillis()) {
                return new CredentialValue(access, expires);
            }
            StoredCredential seen = current;
            if (database.write(tx -> store.claimRenewal(tx, seen, now, now + RENEWAL.toMillis()))) {
                return renewed(current, grant, access);
            }
            if (now < expires) {
                return new CredentialValue(access, expires);
            }
            Thread.sleep(POLL); // another request renews it
            current =
                    database.read(tx -> store.find(tx, seen.tenant(), seen.name()))
                            .orElseThrow(() -> CredentialService.noSuchCredential(seen.name()));
        }
    }

    private CredentialValue renewed(StoredCredential credential, OAuthGrant grant, String access)
            throws InterruptedException {
        String refreshToken = grant.refreshToken();
        String problem;
        try {
            if (refreshToken != null) {
                StoredCredential after =
                        changed(
                                credential,
                                grant,
                                client.refresh(grant, refreshToken),
                                credential.connectedAt());
                return new CredentialValue(
                        String.valueOf(open(after).accessToken()), after.expiresAt());
            }
            problem = "the access has ended, and the service gave no token to renew it";
        } catch (OAuthException e) {
            if (!e.isFinal()) {
                return stillValid(credential, access, e);
            }
            problem = String.valueOf(e.getMessage());
        } catch (IOException | IllegalArgumentException e) {
            return stillValid(credential, access, e);
        }
        Long expires = credential.expiresAt();
        if (refreshToken == null && expires != null && clock.millis() < expires) {
            release(credential);
            return new CredentialValue(access, expires);
        }
        throw notConnected(change(credential, grant, Access.of(credential).withProblem(problem)));
    }

    /** The service did not answer: the token is used as long as it is valid. */
    private CredentialValue stillValid(StoredCredential credential, String access, Exception e) {
        release(credential);
        Long expires = credential.expiresAt();
        if (expires != null && clock.millis() < expires) {
            return new CredentialValue(access, expires);
        }
        throw new SatchelException(
                ErrorCode.UNAVAILABLE,
                "the access of credential "
                        + credential.name().value()
                        + " has ended and cannot be renewed now: "
                        + e.getMessage());
    }

    private void release(StoredCredential credential) {
        database.change(tx -> store.releaseRenewal(tx, credential));
    }

    private StoredCredential changed(
            StoredCredential credential,
            OAuthGrant grant,
            OAuthClient.Tokens tokens,
            @Nullable Long connectedAt) {
        Long lifetime = tokens.lifetime();
        Long expires =
                lifetime == null
                        ? null
                        : Long.valueOf(clock.millis() + Duration.ofSeconds(lifetime).toMillis());
        return change(
                credential,
                grant.withTokens(tokens.access(), tokens.refresh()),
                new Access(expires, connectedAt, null));
    }

    /** What is known about the access without opening the tokens. */
    private record Access(
            @Nullable Long expiresAt, @Nullable Long connectedAt, @Nullable String problem) {
        static Access of(StoredCredential credential) {
            return new Access(
                    credential.expiresAt(), credential.connectedAt(), credential.problem());
        }

        Access withProblem(String found) {
            return new Access(expiresAt, connectedAt, found);
        }
    }

    private StoredCredential change(StoredCredential credential, OAuthGrant grant, Access access) {
        StoredCredential after =
                new StoredCredential(
                        credential.tenant(),
                        credential.name(),
                        Kind.OAUTH,
                        keys.seal(grant.toJson(), credential.context()),
                        access.expiresAt(),
                        access.connectedAt(),
                        access.problem(),
                        credential.createdAt(),
                        clock.millis());
        if (!database.write(tx -> store.update(tx, credential, after))) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "credential " + credential.name().value() + " was changed at the same time");
        }
        return after;
    }

    private OAuthGrant open(StoredCredential credential) {
        return OAuthGrant.parse(keys.open(credential.sealed(), credential.context()));
    }

    private static SatchelException notConnected(StoredCredential credential) {
        return new SatchelException(
                ErrorCode.CONFLICT,
                "credential "
                        + credential.name().value()
                        + " has no access: "
                        + credential.problem());
    }
}
