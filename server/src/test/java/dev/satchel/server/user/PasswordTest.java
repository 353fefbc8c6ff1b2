package dev.satchel.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class PasswordTest {
    @Test
    void hashHasItsParametersAndASalt() {
        String one = PasswordHash.of("a long password");

        assertThat(one).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        assertThat(PasswordHash.of("a long password")).isNotEqualTo(one);
        assertThat(PasswordHash.matches("a long password", one)).isTrue();
        assertThat(PasswordHash.matches("a long passwore", one)).isFalse();
    }

    @Test
    void passwordMayHaveAnyCharacters() {
        String hash = PasswordHash.of("pässwörd mit ümläuten");

        assertThat(PasswordHash.matches("pässwörd mit ümläuten", hash)).isTrue();
        assertThat(PasswordHash.matches("password mit umlauten", hash)).isFalse();
    }

    @Test
    void wrongPasswordsOfAnAccountAreThrottledAndAnUnknownAccountIsAnsweredAlike()
            throws Exception {
        try (TestServer server = TestServer.start((URI) null);
                HttpClient client = CheckedHttpClient.create()) {
            for (int i = 0; i < 10; i++) {
                HttpResponse<String> wrong = signIn(server, client);
                assertThat(wrong.statusCode()).isEqualTo(401);
                assertThat(wrong.body()).contains("The e-mail address or the password is wrong.");
            }
            HttpResponse<String> throttled = signIn(server, client);

            assertThat(throttled.statusCode()).isEqualTo(429);
            assertThat(throttled.headers().firstValue("Retry-After")).isPresent();
        }
    }

    private static HttpResponse<String> signIn(TestServer server, HttpClient client)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.url("/login"))
                        .header("Sec-Fetch-Site", "same-origin")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("email=nobody%40example.org&password=guess"))
                        .build(),
                BodyHandlers.ofString());
    }
}
