package dev.satchel.runner.sandbox.unsafe;

import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.util.Optional;

/** Runs commands as plain processes in the workspace. Nothing is isolated. */
public final class UnsafeSandboxFactory implements SandboxFactory {
    private static final String WARNING =
            "SATCHEL_SANDBOX=unsafe: commands run without a sandbox, with everything the runner's"
                    + " user may do, without limits, and with the network";

    @Override
    public Sandbox open(SandboxSpec spec) throws IOException {
        return new UnsafeSandbox(spec);
    }

    @Override
    public Optional<String> warning() {
        return Optional.of(WARNING);
    }
}
