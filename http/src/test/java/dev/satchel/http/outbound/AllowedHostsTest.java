package dev.satchel.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    @ParameterizedTest
    @CsvSource({
        "example.org, example.org:443, true",
        "example.org, example.org:80, true",
        "example.org, EXAMPLE.org.:443, true",
        "example.org, example.org:22, false",
        "example.org:8443, example.org:8443, true",
        "example.org:8443, example.org:443, false",
        "example.org, a.example.org:443, false",
        "*.example.org, a.example.org:443, true",
        "*.example.org, a.b.example.org:443, true",
        "*.example.org, example.org:443, false",
        "*.example.org, evilexample.org:443, false",
        "*.example.org:444, a.example.org:444, true",
        "*.0.0.1, 127.0.0.1:80, false",
        "10.0.0.1, 10.0.0.1:80, true",
        "[::1]:80, [::1]:80, true",
        "[::1]:80, [::1]:443, false",
    })
    void anEntryAllowsWhatItNames(String entry, String target, boolean allowed) {
        assertThat(AllowedHosts.Entry.parse(entry).allows(HostAndPort.parse(target, 443)))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "http://example.org", "a b", "example.org:0", "example.org:70000", "*"})
    void whatIsNoHostIsRefused(String entry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedHosts.parse(List.of(entry), ReachableHosts.NONE));
    }

    @Test
    void aPrivateAddressIsRefusedHoweverTheAgentSpellsIt() {
        List<String> asked =
                List.of("127.0.0.1", "localhost", "2130706433", "169.254.169.254", "[::1]");
        AllowedHosts hosts = AllowedHosts.parse(asked, ReachableHosts.NONE);

        for (String host : asked) {
            assertThatThrownBy(() -> hosts.resolve(new HostAndPort(host, 80)))
                    .isInstanceOf(ForbiddenTargetException.class)
                    .hasMessageContaining("private address");
        }
    }

    @Test
    void aPrivateAddressIsReachedWhenBothOperatorAndAgentNameIt() throws Exception {
        ReachableHosts operators =
                ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, "127.0.0.1:9000"));
        AllowedHosts hosts =
                AllowedHosts.parse(List.of("127.0.0.1:9000", "127.0.0.1:9001"), operators);

        assertThat(hosts.resolve(new HostAndPort("127.0.0.1", 9000)))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9000));
        assertThatThrownBy(() -> hosts.resolve(new HostAndPort("127.0.0.1", 9001)))
                .isInstanceOf(ForbiddenTargetException.class);
        assertThatThrownBy(
                        () ->
                                AllowedHosts.parse(List.of("example.org"), operators)
                                        .resolve(new HostAndPort("127.0.0.1", 9000)))
                .isInstanceOf(ForbiddenTargetException.class);
    }

    @Test
    void anAddressOfThePublicNetworkIsReachedWhenSpelledOut() throws Exception {
        assertThat(
                        AllowedHosts.parse(List.of("8.8.8.8"), ReachableHosts.NONE)
                                .resolve(new HostAndPort("8.8.8.8", 443)))
                .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("8.8.8.8"), 443));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "0.0.0.0",
                "0.1.2.3",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "198.18.0.1",
                "192.0.0.8",
                "192.0.2.1",
                "198.51.100.1",
                "203.0.113.1",
                "2001:db8::1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001:0:1::1",
                "fec0::1"
            })
    void ourNetworksAreNotPublic(String address) throws Exception {
        assertThat(PublicAddresses.isPublic(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "100.128.0.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111"})
    void theOthersArePublic(String address) throws Exception {
        assertThat(PublicAddresses.isPublic(InetAddress.ofLiteral(address))).isTrue();
    }
}
