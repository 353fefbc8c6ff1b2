package dev.satchel.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReachableHostsTest {
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

    @ParameterizedTest
    @CsvSource({
        "'', '', example.org:22, true",
        "'', '80, 443', example.org:443, true",
        "'', '80, 443', example.org:22, false",
        "example.org, '', example.org:22, true",
        "example.org, 443, example.org:22, false",
        "example.org, 443, other.org:443, false",
        "example.org:8443, '', example.org:443, false",
        "'*.example.org, other.org', '', a.example.org:443, true",
        "'*.example.org, other.org', '', example.org:443, false",
    })
    void noPublicHostAboveTheCeilingIsReachable(
            String hosts, String ports, String target, boolean reached) {
        ReachableHosts reachable =
                ReachableHosts.from(
                        Map.of("SATCHEL_EGRESS_HOSTS", hosts, "SATCHEL_EGRESS_PORTS", ports));

        assertThat(
                        reachable.mayReach(
                                HostAndPort.parse(target, 80), InetAddress.ofLiteral("8.8.8.8")))
                .isEqualTo(reached);
    }

    @Test
    void listedPrivateHostIsReachableAboveTheCeiling() {
        ReachableHosts reachable =
                ReachableHosts.from(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "10.0.0.5",
                                "SATCHEL_EGRESS_HOSTS", "example.org",
                                "SATCHEL_EGRESS_PORTS", "443"));

        assertThat(
                        reachable.mayReach(
                                HostAndPort.parse("10.0.0.5:80", 80),
                                InetAddress.ofLiteral("10.0.0.5")))
                .isTrue();
    }

    @Test
    void everyRefusalHasTheSameMessage() {
        ReachableHosts reachable =
                ReachableHosts.from(Map.of("SATCHEL_EGRESS_HOSTS", "example.org"));
        List<String> targets = List.of("nowhere.invalid", "localhost", "8.8.8.8");
        AllowedHosts agent = AllowedHosts.parse(targets, reachable);

        Stream<String> messages =
                Stream.concat(
                        Stream.concat(targets.stream(), Stream.of("unnamed.org"))
                                .map(host -> refusal(host, () -> agent.resolve(https(host)))),
                        targets.stream()
                                .map(host -> refusal(host, () -> reachable.check(https(host)))));

        assertThat(messages.collect(Collectors.toSet())).hasSize(1);
    }

    private static String refusal(String host, ThrowableAssert.ThrowingCallable request) {
        return Objects.requireNonNull(
                        catchThrowableOfType(ForbiddenTargetException.class, request).getMessage())
                .replace(host, "HOST");
    }

    private static HostAndPort https(String host) {
        return new HostAndPort(host, 443);
    }

    @ParameterizedTest
    @CsvSource({
        "SATCHEL_EGRESS_HOSTS, 'example.org, http://a', http://a",
        "SATCHEL_EGRESS_HOSTS, '*', '*'",
        "SATCHEL_EGRESS_PORTS, '443, 0', 0",
        "SATCHEL_EGRESS_PORTS, '99999', 99999",
        "SATCHEL_EGRESS_PORTS, https, https",
        "SATCHEL_PRIVATE_HOSTS, 'a b', a b",
    })
    void anInvalidEntryIsNamedWithItsVariable(String variable, String value, String entry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReachableHosts.from(Map.of(variable, value)))
                .withMessageContaining(variable)
                .withMessageContaining(entry);
    }

    @Test
    void noPrivateHostIsReachableByDefault() {
        assertThat(ReachableHosts.from(Map.of())).isEqualTo(ReachableHosts.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://a", "a b", "a:0", "10.0.0.0/8", "*", "a:99999", "10.0.0.999"})
    void anInvalidHostIsRefused(String entry) {
        assertThatIllegalArgumentException().isThrownBy(() -> hosts("good," + entry));
    }

    private static ReachableHosts hosts(String list) {
        return ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, list));
    }
}
