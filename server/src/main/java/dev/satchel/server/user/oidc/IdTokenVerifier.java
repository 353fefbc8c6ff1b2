package dev.satchel.server.user.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.proc.SingleKeyJWSKeySelector;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.security.Key;
import java.text.ParseException;
import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.Set;

/**
 * Checks an ID token as OpenID Connect Core 3.1.3.7 wants it. The algorithms are those with a key
 * pair: with {@code HS256} everybody who knows a public key, or the secret of the client, could
 * sign, and with {@code none} everybody.
 */
final class IdTokenVerifier {
    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    private static final int MIN_RSA_BITS = 2048;
    private static final int CLOCK_SKEW_SECONDS = 60;
    private static final int MAX_SUBJECT = 255;

    private final OidcKeys keys;
    private final String issuer;
    private final String clientId;
    private final Clock clock;

    IdTokenVerifier(OidcKeys keys, String issuer, String clientId, Clock clock) {
        this.keys = keys;
        this.issuer = issuer;
        this.clientId = clientId;
        this.clock = clock;
    }

    /** The claims of a token that is of the provider, for this server and for this sign-in. */
    JWTClaimsSet verify(String token, String nonce, OidcProvider provider)
            throws OidcException, IOException, InterruptedException {
        try {
            SignedJWT parsed = SignedJWT.parse(token); // refuses the algorithm none
            Key key = key(parsed.getHeader(), provider);
            DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
            processor.setJWSKeySelector(
                    new SingleKeyJWSKeySelector<>(parsed.getHeader().getAlgorithm(), key));
            processor.setJWTClaimsSetVerifier(new ClaimsVerifier(nonce));
            JWTClaimsSet claims = processor.process(parsed, null);
            requireOurs(claims);
            return claims;
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw new OidcException(
                    "The ID token of the provider is refused: " + e.getMessage(), e);
        }
    }

    private Key key(JWSHeader header, OidcProvider provider)
            throws OidcException, JOSEException, IOException, InterruptedException {
        if (!ALGORITHMS.contains(header.getAlgorithm())) {
            throw new OidcException(
                    "The ID token is signed with the algorithm " + header.getAlgorithm());
        }
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        if (matcher == null) {
            throw new OidcException("The ID token has an unknown algorithm.");
        }
        List<JWK> found = keys.select(new JWKSelector(matcher), provider);
        if (found.size() != 1) {
            throw new OidcException(
                    "The ID token is signed with a key that the provider does not have.");
        }
        return switch (found.getFirst()) {
            case RSAKey rsa when rsa.size() < MIN_RSA_BITS ->
                    throw new OidcException("The key of the provider is too short.");
            case RSAKey rsa -> rsa.toRSAPublicKey();
            case JWK other -> other.toECKey().toECPublicKey();
        };
    }

    private void requireOurs(JWTClaimsSet claims) throws OidcException, ParseException {
        String party = claims.getStringClaim("azp");
        boolean isOurs = party == null ? claims.getAudience().size() == 1 : party.equals(clientId);
        if (!isOurs) {
            throw new OidcException("The ID token was made for another client.");
        }
        String subject = claims.getSubject();
        if (subject.isEmpty() || subject.length() > MAX_SUBJECT || subject.indexOf('\0') >= 0) {
            throw new OidcException("The ID token names no subject.");
        }
    }

    /** Exact issuer, audience and nonce, and the times, by the clock of the server. */
    private final class ClaimsVerifier extends DefaultJWTClaimsVerifier<SecurityContext> {
        ClaimsVerifier(String nonce) {
            super(
                    clientId,
                    new JWTClaimsSet.Builder().issuer(issuer).claim("nonce", nonce).build(),
                    Set.of("sub", "exp", "iat"));
            setMaxClockSkew(CLOCK_SKEW_SECONDS);
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }
}
