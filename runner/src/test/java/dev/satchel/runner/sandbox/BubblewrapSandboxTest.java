package dev.satchel.runner.sandbox;

import java.nio.file.Path;

class BubblewrapSandboxTest extends SandboxContract {
    @Override
    SandboxFactory sandboxes() {
        return OpenSandboxes.BUBBLEWRAP;
    }

    @Override
    String seenWorkspace(Path workspace) {
        return Sandbox.WORKSPACE;
    }
}
