package dev.satchel.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateHostsTest {
    @ParameterizedTest
    @CsvSource({
        "'', 10.0.0.5:80, 10.0.0.5, false",
        "'', example.org:80, 8.8.8.8, true",
        "10.0.0.5, 10.0.0.5:8080, 10.0.0.5, true",
        "10.0.0.5:80, 10.0.0.5:80, 10.0.0.5, true",
        "10.0.0.5:80, 10.0.0.5:81, 10.0.0.5, false",
        "10.0.0.5, model.internal:80, 10.0.0.5, true",
        "10.0.0.5, model.internal:80, 10.0.0.6, false",
        "model.internal, model.internal:80, 10.0.0.6, true",
        "Model.Internal:80, model.internal:80, 10.0.0.6, true",
        "model.internal, other.internal:80, 10.0.0.6, false",
        "model.internal, 10.0.0.6:80, 10.0.0.6, false",
        "'a.internal , [::1]:80', [::1]:80, ::1, true",
        "[::1], [0:0:0:0:0:0:0:1]:80, ::1, true",
    })
    void onlyListedPrivateHostsAreReachable(
            String list, String target, String address, boolean reached) {
        assertThat(
                        hosts(list)
                                .mayReach(
                                        HostAndPort.parse(target, 80),
                                        InetAddress.ofLiteral(address)))
                .isEqualTo(reached);
    }

    @Test
    void noPrivateHostIsReachableByDefault() {
        assertThat(PrivateHosts.from(Map.of())).isEqualTo(PrivateHosts.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://a", "a b", "a:0", "10.0.0.0/8", "*", "a:99999", "10.0.0.999"})
    void anInvalidHostIsRefused(String entry) {
        assertThatIllegalArgumentException().isThrownBy(() -> hosts("good," + entry));
    }

    private static PrivateHosts hosts(String list) {
        return PrivateHosts.from(Map.of(PrivateHosts.VARIABLE, list));
    }
}
