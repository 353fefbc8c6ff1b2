package dev.satchel.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTargetTest {
    @TempDir private Path data;

    @Test
    void flagsHavePriorityOverVariables() {
        Map<String, String> environment =
                Map.of("SATCHEL_URL", "http://a.example", "SATCHEL_API_KEY", "one");

        assertThat(ServerTarget.of(flags(null, null), environment))
                .isEqualTo(new ServerTarget(URI.create("http://a.example"), "one"));
        assertThat(ServerTarget.of(flags("https://b.example/x", "two"), environment))
                .isEqualTo(new ServerTarget(URI.create("https://b.example/x"), "two"));
    }

    @Test
    void theDefaultIsTheServerOnThisMachine() throws Exception {
        Files.writeString(data.resolve("api-key"), "local\n");

        assertThat(ServerTarget.of(flags(null, null), Map.of("SATCHEL_PORT", "9000")))
                .isEqualTo(new ServerTarget(URI.create("http://127.0.0.1:9000"), "local"));
    }

    @Test
    void theKeyOfThisMachineIsNotSentToAnotherMachine() throws Exception {
        Files.writeString(data.resolve("api-key"), "local\n");

        assertThatThrownBy(
                        () -> ServerTarget.of(flags("https://elsewhere.example", null), Map.of()))
                .isInstanceOfSatisfying(
                        CliException.class,
                        e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED));
    }

    @Test
    void anInvalidAddressIsRefused() {
        assertThatThrownBy(() -> ServerTarget.of(flags("localhost:8080", "k"), Map.of()))
                .hasMessageContaining("localhost:8080");
    }

    private ServerTarget.Flags flags(@Nullable String url, @Nullable String key) {
        return new ServerTarget.Flags(url, key, data.toString(), null);
    }
}
