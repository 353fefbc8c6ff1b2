package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.unsafe.UnsafeSandboxFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UnsafeSandboxTest extends SandboxContract {
    @Override
    SandboxFactory sandboxes() {
        return new UnsafeSandboxFactory();
    }

    @Override
    String seenWorkspace(Path workspace) throws IOException {
        return workspace.toRealPath().toString();
    }

    @Test
    void saysThatNothingIsIsolated() {
        assertThat(sandboxes().warning())
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains("SATCHEL_SANDBOX=unsafe", "without a sandbox"));
    }
}
