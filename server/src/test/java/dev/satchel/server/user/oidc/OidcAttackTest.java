package dev.satchel.server.user.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of a provider that somebody else has made, changed, stolen or sent again. */
class OidcAttackTest {
    private final MovableClock clock = new MovableClock();
    private OidcTestProvider provider;
    private TestServer server;
    private SignInBrowser browser;

    @BeforeEach
    void start() throws Exception {
        provider = new OidcTestProvider(clock);
        provider.person(Map.of("sub", "ada", "email", "ada@example.org", "email_verified", true));
        OidcSettings settings =
                new OidcSettings(
                        provider.issuer(),
                        OidcTestProvider.CLIENT,
                        OidcTestProvider.SECRET,
                        null,
                        List.of("example.org"),
                        "Example");
        server =
                TestServer.start(
                        TestConfiguration.withOidc(
                                TestServer.configuration(
                                        Files.createTempDirectory("satchel-test-"), null, null),
                                settings),
                        clock);
        browser = new SignInBrowser(server.url("/"));
    }

    @AfterEach
    void stop() {
        browser.close();
        server.close();
        provider.close();
    }

    @Test
    void rightAnswerSignsIn() throws Exception {
        HttpResponse<String> page = browser.signIn();

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("You are signed in");
        assertThat(browser.get("/api/me").body()).contains("ada@example.org");
    }

    @Test
    void tokenWithTheNonceOfAnotherSignInIsRefused() throws Exception {
        provider.claims(claims -> with(claims, "nonce", "of-another-sign-in"));

        refused(browser.signIn(), "nonce");
    }

    @Test
    void tokenWithoutASignatureIsRefused() throws Exception {
        provider.signature(
                claims -> {
                    try {
                        return new PlainJWT(JWTClaimsSet.parse(claims)).serialize();
                    } catch (ParseException e) {
                        throw new IllegalStateException(e);
                    }
                });

        refused(browser.signIn(), "The ID token of the provider is refused");
    }

    @Test
    void tokenThatIsSignedWithAKnownTextIsRefused() throws Exception {
        byte[] known = OidcTestProvider.firstKey().toPublicJWK().toJSONString().getBytes(UTF_8);
        provider.signature(claims -> mac(claims, known));

        refused(browser.signIn(), "algorithm HS256");
    }

    @Test
    void tokenForAnotherClientIsRefused() throws Exception {
        provider.claims(claims -> with(claims, "aud", "another-client"));

        refused(browser.signIn(), "aud claim rejected");
    }

    @Test
    void tokenThatAnotherClientHasGotIsRefused() throws Exception {
        provider.claims(claims -> with(claims, "azp", "another-client"));
        refused(browser.signIn(), "another client");
        provider.claims(
                claims -> with(claims, "aud", List.of(OidcTestProvider.CLIENT, "another-client")));

        refused(browser.signIn(), "another client");
    }

    @Test
    void expiredTokenIsRefused() throws Exception {
        provider.claims(
                claims -> with(claims, "exp", clock.instant().minusSeconds(61).getEpochSecond()));

        refused(browser.signIn(), "Expired");
    }

    @Test
    void tokenOfAnotherIssuerIsRefused() throws Exception {
        provider.claims(claims -> with(claims, "iss", provider.issuer() + "/"));

        refused(browser.signIn(), "iss");
    }

    @Test
    void tokenThatSomebodyElseHasSignedIsRefused() throws Exception {
        RSAKey forged = OidcTestProvider.rsa(OidcTestProvider.firstKey().getKeyID());
        provider.signature(claims -> OidcTestProvider.signed(forged, claims));

        refused(browser.signIn(), "signature");
    }

    @Test
    void keysAreReadAgainWhenTheProviderHasChangedThem() throws Exception {
        assertThat(browser.signIn().statusCode()).isEqualTo(200);
        ECKey next = OidcTestProvider.ec("next");
        provider.publish(new JWKSet(List.of(OidcTestProvider.firstKey(), next)));
        provider.signature(claims -> OidcTestProvider.signed(next, claims));
        clock.advance(OidcKeys.PAUSE);

        assertThat(browser.signIn().statusCode()).isEqualTo(200);

        assertThat(provider.keyReads()).isEqualTo(2);
    }

    @Test
    void manyUnknownKeysMakeFewRequests() throws Exception {
        RSAKey unknown = OidcTestProvider.rsa("unknown");
        provider.signature(claims -> OidcTestProvider.signed(unknown, claims));
        for (int i = 0; i < 5; i++) {
            refused(browser.signIn(), "a key that the provider does not have");
        }
        assertThat(provider.keyReads()).isEqualTo(1);
        clock.advance(OidcKeys.PAUSE);
        for (int i = 0; i < 4; i++) {
            refused(browser.signIn(), "a key that the provider does not have");
        }

        assertThat(provider.keyReads()).isEqualTo(2);
    }

    @Test
    void answerOfAnotherIssuerOrOfNoneIsRefused() throws Exception {
        provider.issuerOfAnswers("https://login.example.com");
        refused(browser.signIn(), "The answer is of another issuer.");
        provider.issuerOfAnswers("");

        refused(browser.signIn(), "The answer is of another issuer.");
    }

    @Test
    void answerIsOfNoUseInAnotherBrowser() throws Exception {
        URI answer = answer(browser);
        try (SignInBrowser victim = new SignInBrowser(server.url("/"))) {
            refused(victim.get(answer), "another browser");
            assertThat(victim.get("/login/oidc").statusCode()).isEqualTo(303);

            refused(victim.get(answer), "another browser");
            assertThat(victim.isSignedIn()).isFalse();
        }
    }

    @Test
    void answerIsUsedOnce() throws Exception {
        URI answer = answer(browser);
        try (SignInBrowser copy = new SignInBrowser(server.url("/"))) {
            browser.copyCookiesTo(copy);
            assertThat(browser.get(answer).statusCode()).isEqualTo(200);

            refused(browser.get(answer), "was used before");
            refused(copy.get(answer), "does not accept the code");
        }
    }

    @Test
    void answerThatComesLateIsRefused() throws Exception {
        URI answer = answer(browser);
        clock.advance(OidcAttempt.LIFETIME);

        refused(browser.get(answer), "took too long");
    }

    @Test
    void wordsOfTheProviderAreShownOnlyToWhoHasAskedIt() throws Exception {
        HttpResponse<String> foreign =
                browser.get("/login/oidc/callback?error=x&error_description=Call+this+number");
        assertThat(foreign.body()).doesNotContain("Call this number");
        String state = answer(browser).getQuery().replaceFirst(".*state=([^&]*).*", "$1");

        HttpResponse<String> own =
                browser.get(
                        "/login/oidc/callback?error=access_denied&error_description=%3Cb%3ENo&state="
                                + state);

        refused(own, "The provider refused: &lt;b&gt;No");
    }

    @Test
    void providerThatNamesItselfDifferentlyIsNotUsed() throws Exception {
        provider.document(document -> with(document, "issuer", "https://login.example.com"));

        assertThat(browser.signIn().statusCode()).isEqualTo(503);
    }

    @Test
    void addressesOfTheProviderDoNotLeadIntoThePrivateNetwork() throws Exception {
        try (OidcTestProvider other = new OidcTestProvider(clock)) {
            provider.document(document -> with(document, "jwks_uri", other.issuer() + "/keys"));

            assertThat(browser.signIn().statusCode()).isEqualTo(503);

            assertThat(other.keyReads()).isZero();
        }
    }

    @Test
    void providerThatIsAwayRefusesNobodyAfterwards() throws Exception {
        provider.available(false);
        for (int i = 0; i < 12; i++) {
            HttpResponse<String> page = browser.signIn();
            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.body()).contains("The provider cannot be used at the moment.");
        }
        provider.available(true);
        clock.advance(OidcDiscovery.PAUSE);

        assertThat(browser.signIn().statusCode()).isEqualTo(200);
    }

    @Test
    void refusedSignInsAreThrottledByAddress() throws Exception {
        provider.claims(claims -> with(claims, "nonce", "wrong"));
        for (int i = 0; i < 10; i++) {
            refused(browser.signIn(), "nonce");
        }
        provider.claims(claims -> claims);

        HttpResponse<String> page = browser.signIn();

        assertThat(page.statusCode()).isEqualTo(429);
        assertThat(page.headers().firstValue("Retry-After")).isPresent();
        clock.advance(Duration.ofMinutes(5));
        assertThat(browser.signIn().statusCode()).isEqualTo(200);
    }

    @Test
    void pageAfterTheSignInIsOfThisServer() throws Exception {
        assertThat(browser.follow(browser.get("/login/oidc?return=/chats/1%3Fa%3Db")).body())
                .contains("url=/chats/1?a=b\"");
        for (String foreign :
                List.of("//evil.example", "/%5Cevil.example", "https://evil.example")) {
            assertThat(browser.follow(browser.get("/login/oidc?return=" + foreign)).body())
                    .contains("url=/\"")
                    .doesNotContain("evil");
        }
    }

    private URI answer(SignInBrowser asked) throws Exception {
        HttpResponse<String> begun = asked.get("/login/oidc");
        HttpResponse<String> answered =
                asked.get(URI.create(begun.headers().firstValue("Location").orElseThrow()));
        return URI.create(answered.headers().firstValue("Location").orElseThrow());
    }

    private void refused(HttpResponse<String> page, String reason) {
        assertThat(page.statusCode()).as(page.body()).isEqualTo(401);
        assertThat(page.body()).contains("You are not signed in", reason);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
    }

    private static Map<String, Object> with(Map<String, Object> base, String name, Object value) {
        Map<String, Object> changed = new HashMap<>(base);
        changed.put(name, value);
        return changed;
    }

    private static String mac(Map<String, Object> claims, byte[] secret) {
        try {
            SignedJWT token =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(),
                            JWTClaimsSet.parse(claims));
            token.sign(new MACSigner(secret));
            return token.serialize();
        } catch (JOSEException | ParseException e) {
            throw new IllegalStateException(e);
        }
    }
}
