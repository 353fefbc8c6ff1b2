package dev.satchel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerLifecycleTest {
    @Test
    void plainFlagsAreUnderstoodWithoutHelp() {
        assertThat(ServerLifecycle.plainFlags("serve")).contains(Map.of());
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "0", "--data", "a b"))
                .contains(Map.of("--port", "0", "--data", "a b"));
    }

    @Test
    void whateverElseIsSaidIsLeftToPicocli() {
        assertThat(ServerLifecycle.plainFlags()).isEmpty();
        assertThat(ServerLifecycle.plainFlags("runner")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--help")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "1", "--port", "2")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "--data")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--prot", "1")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port=1")).isEmpty();
    }
}
