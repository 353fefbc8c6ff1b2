package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.Optional;

/** Plain processes in the workspace, for operators who insist: nothing is isolated. */
final class UnsafeSandboxFactory implements SandboxFactory {
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
