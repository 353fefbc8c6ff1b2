package dev.satchel.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyRequestHeadTest {
    @Test
    void theServerGetsThePathAndNothingMeantForTheProxy() throws Exception {
        ProxyRequestHead head =
                read(
                        """
                        GET http://example.org?q=1 HTTP/1.1
                        Host: example.org
                        Proxy-Authorization: secret
                        Connection: keep-alive

                        """
                                .replace("\n", "\r\n"));

        assertThat(head.target()).isEqualTo(new HostAndPort("example.org", 80));
        assertThat(new String(head.forServer(), StandardCharsets.ISO_8859_1).lines())
                .containsExactly(
                        "GET /?q=1 HTTP/1.1", "Host: example.org", "Connection: close", "");
    }

    @Test
    void theServerGetsTheHostOfTheAddressAndNoOther() throws Exception {
        ProxyRequestHead head =
                read(
                        "GET http://example.org:8080/ HTTP/1.1\r\nhOST: internal.example.org\r\n"
                                + "Accept: */*\r\nHost: other\r\n\r\n");

        assertThat(new String(head.forServer(), StandardCharsets.ISO_8859_1).lines())
                .containsExactly(
                        "GET / HTTP/1.1",
                        "Host: example.org:8080",
                        "Accept: */*",
                        "Connection: close",
                        "");
    }

    @Test
    void aTunnelNamesItsTarget() throws Exception {
        assertThat(read("CONNECT [2606:4700::1]:8443 HTTP/1.1\r\n\r\n").target())
                .isEqualTo(new HostAndPort("[2606:4700::1]", 8443));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /path HTTP/1.1\r\n\r\n",
                "GET https://example.org/ HTTP/1.1\r\n\r\n",
                "GET http://user@example.org/ HTTP/1.1\r\n\r\n",
                "GET http:///x HTTP/1.1\r\n\r\n",
                "CONNECT example.org:99999999999 HTTP/1.1\r\n\r\n",
                "CONNECT a/b:1 HTTP/1.1\r\n\r\n",
                "GET\r\n\r\n",
                "\r\n",
                "GET http://example.org/ HTTP/1.1\r\n",
                "GET http://example.org/ HTTP/1.1\r\nA: b\r\n Host: other\r\n\r\n",
                "GET http://example.org/ HTTP/1.1\r\nHost : other\r\n\r\n",
            })
    void whatIsNoRequestToAProxyIsRefused(String request) {
        assertThatThrownBy(() -> read(request).target()).isInstanceOf(IOException.class);
    }

    @Test
    void anEndlessHeadIsRefused() {
        assertThatThrownBy(() -> read("GET " + "x".repeat(100_000)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("65536");
    }

    private static ProxyRequestHead read(String text) throws IOException {
        return ProxyRequestHead.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
