package dev.satchel.runner.sandbox;

import java.nio.file.Path;

class BubblewrapSandboxTest extends SandboxContract {
    private static final Sandboxes SANDBOXES = SandboxSetup.detect(System.getenv());

    @Override
    Sandboxes sandboxes() {
        return SANDBOXES;
    }

    @Override
    String seenWorkspace(Path workspace) {
        return Sandbox.WORKSPACE;
    }
}
