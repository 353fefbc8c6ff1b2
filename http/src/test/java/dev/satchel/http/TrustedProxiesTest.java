package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.connection.TrustedProxies;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
    private static final TrustedProxies PROXIES =
            TrustedProxies.of(List.of("10.0.0.0/9", "192.0.2.7", "2001:db8::/33"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.5 | 198.51.100.1 | 203.0.113.5", // not a proxy: its header is a claim
                "10.1.2.3 | 198.51.100.1 | 198.51.100.1",
                "10.128.0.1 | 198.51.100.1 | 10.128.0.1", // outside of the network
                "192.0.2.7 | 1.1.1.1, 198.51.100.1, 10.9.9.9 | 198.51.100.1",
                "192.0.2.7 | 10.0.0.1, 10.0.0.2 | 10.0.0.1",
                "192.0.2.7 | 198.51.100.1:4711 | 198.51.100.1",
                "2001:db8::1 | [2001:db8:8000::1]:4711 | 2001:db8:8000:0:0:0:0:1",
                "::ffff:10.0.0.1 | 198.51.100.1 | 198.51.100.1",
                "192.0.2.7 | unknown | 192.0.2.7",
                "192.0.2.7 | 198.51.100.1, example.org | 192.0.2.7",
                "192.0.2.7 | '' | 192.0.2.7",
            })
    void clientIsTheLastAddressThatNoProxyHas(String peer, String header, String client) {
        assertThat(PROXIES.client(peer, List.of(header))).isEqualTo(client);
    }

    @Test
    void headersAreReadInTheirOrder() {
        assertThat(PROXIES.client("192.0.2.7", List.of("1.1.1.1", "198.51.100.1")))
                .isEqualTo("198.51.100.1");
        assertThat(PROXIES.client("192.0.2.7", List.of())).isEqualTo("192.0.2.7");
        assertThat(TrustedProxies.NONE.client("192.0.2.7", List.of("1.1.1.1")))
                .isEqualTo("192.0.2.7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", ""})
    void whatIsNoNetworkIsRefused(String text) {
        assertThatThrownBy(() -> TrustedProxies.of(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
