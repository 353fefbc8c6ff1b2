package dev.satchel.server.user.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.satchel.http.outbound.ReachableHosts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.text.ParseException;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * This server as a client of one provider: authorization code with PKCE. Shared between threads.
 */
public final class OidcClient {
    /** Where the provider sends the browser back to. */
    public static final String CALLBACK = "/login/oidc/callback";

    /** Where the provider sends the browser after a sign-out. */
    private static final String SIGNED_OUT = "/login";

    private final OidcSettings settings;
    private final Supplier<URI> publicUrl;
    private final OidcHttp http;
    private final OidcDiscovery discovery;
    private final IdTokenVerifier verifier;

    public OidcClient(
            OidcSettings settings, ReachableHosts hosts, Supplier<URI> publicUrl, Clock clock) {
        this.settings = settings;
        this.publicUrl = publicUrl;
        this.http = new OidcHttp(URI.create(settings.issuer()), hosts);
        this.discovery = new OidcDiscovery(http, settings.issuer(), clock);
        this.verifier =
                new IdTokenVerifier(
                        new OidcKeys(http, clock), settings.issuer(), settings.clientId(), clock);
    }

    public OidcSettings settings() {
        return settings;
    }

    /** The address at which the person signs in. */
    public String authorizationUrl(OidcAttempt attempt) throws IOException, InterruptedException {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", settings.clientId());
        query.put("redirect_uri", redirectUri());
        query.put("scope", "openid email profile");
        query.put("state", attempt.state());
        query.put("nonce", attempt.nonce());
        query.put("code_challenge", attempt.challenge());
        query.put("code_challenge_method", "S256");
        return withQuery(discovery.provider().authorization(), query);
    }

    /**
     * Exchanges the code that the provider gave to the browser of this attempt.
     *
     * @param issuer the issuer that the answer names; empty without one
     * @throws OidcException if the provider or this server refuses
     * @throws IOException if the provider is away, or answers what it should not
     */
    public OidcIdentity finish(OidcAttempt attempt, String code, Optional<String> issuer)
            throws OidcException, IOException, InterruptedException {
        OidcProvider provider = discovery.provider();
        if (issuer.isEmpty() ? provider.sendsIssuer() : !issuer.get().equals(settings.issuer())) {
            throw new OidcException("The answer is of another issuer.");
        }
        String token = exchange(provider, code, attempt.verifier());
        return identity(verifier.verify(token, attempt.nonce(), provider), token);
    }

    /**
     * Where the person signs out at the provider too; empty if it has no page for it.
     *
     * @param idToken of their sign-in; without it the provider may ask them
     */
    public Optional<String> signOutUrl(Optional<String> idToken) throws InterruptedException {
        try {
            String address = discovery.provider().endSession();
            if (address == null) {
                return Optional.empty();
            }
            Map<String, String> query = new LinkedHashMap<>();
            if (idToken.isPresent()) {
                query.put("id_token_hint", idToken.get());
            }
            query.put("client_id", settings.clientId());
            query.put("post_logout_redirect_uri", publicUrl.get() + SIGNED_OUT);
            return Optional.of(withQuery(address, query));
        } catch (IOException _) {
            return Optional.empty(); // the session here has ended in any case
        }
    }

    private String redirectUri() {
        return publicUrl.get() + CALLBACK;
    }

    private String exchange(OidcProvider provider, String code, String pkceVerifier)
            throws OidcException, IOException, InterruptedException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", redirectUri());
        form.put("code_verifier", pkceVerifier);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(provider.token()))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Accept", "application/json");
        authenticate(provider, request, form);
        OidcHttp.JsonAnswer answer =
                http.send(request.POST(BodyPublishers.ofString(form(form))).build());
        String error = answer.body().path("error").stringValue("");
        if (error.equals("invalid_grant")) {
            throw new OidcException("The provider does not accept the code.");
        }
        String token = answer.body().path("id_token").stringValue("");
        if (answer.status() != 200 || token.isEmpty()) {
            throw new IOException(
                    "the provider gave no ID token: status " + answer.status() + " " + error);
        }
        return token;
    }

    private void authenticate(
            OidcProvider provider, HttpRequest.Builder request, Map<String, String> form) {
        String secret = settings.clientSecret();
        if (secret == null) {
            form.put("client_id", settings.clientId());
        } else if (provider.wantsSecretInForm()) {
            form.put("client_id", settings.clientId());
            form.put("client_secret", secret);
        } else {
            String pair = encoded(settings.clientId()) + ":" + encoded(secret);
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
        }
    }

    private OidcIdentity identity(JWTClaimsSet claims, String token) throws OidcException {
        try {
            String email = claims.getStringClaim("email");
            boolean isVerified = Boolean.TRUE.equals(claims.getClaim("email_verified"));
            String name = claims.getStringClaim("name");
            String login = claims.getStringClaim("preferred_username");
            return new OidcIdentity(
                    settings.issuer(),
                    claims.getSubject(),
                    isVerified ? email : null,
                    Optional.ofNullable(name).or(() -> Optional.ofNullable(login)).orElse(""),
                    RoleClaim.values(claims.getClaims(), settings.roleClaim()),
                    token);
        } catch (ParseException e) {
            throw new OidcException("The ID token has a claim of an unknown type.", e);
        }
    }

    private static String withQuery(String address, Map<String, String> query) {
        return address + (address.contains("?") ? "&" : "?") + form(query);
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
