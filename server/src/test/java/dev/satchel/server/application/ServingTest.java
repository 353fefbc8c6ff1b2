package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServingTest {
    @Test
    void plainFlagsAreUnderstoodWithoutHelp() {
        assertThat(Serving.plainFlags("serve")).contains(Map.of());
        assertThat(Serving.plainFlags("serve", "--port", "0", "--data", "a b"))
                .contains(Map.of("--port", "0", "--data", "a b"));
    }

    @Test
    void whateverElseIsSaidIsLeftToPicocli() {
        assertThat(Serving.plainFlags()).isEmpty();
        assertThat(Serving.plainFlags("runner")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--help")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--port")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--port", "1", "--port", "2")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--port", "--data")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--prot", "1")).isEmpty();
        assertThat(Serving.plainFlags("serve", "--port=1")).isEmpty();
    }
}
