package dev.satchel.runner.sandbox;

import java.nio.file.Path;

class BubblewrapSandboxTest extends SandboxContract {
    @Override
    Sandboxes sandboxes() {
        return OpenSandboxes.BUBBLEWRAP;
    }

    @Override
    String seenWorkspace(Path workspace) {
        return Sandbox.WORKSPACE;
    }
}
