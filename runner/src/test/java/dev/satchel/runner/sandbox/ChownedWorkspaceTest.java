package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandboxFactory;
import dev.satchel.runner.sandbox.bubblewrap.FileOwnership;
import dev.satchel.runner.sandbox.bubblewrap.HostCapabilities;
import dev.satchel.runner.sandbox.bubblewrap.RunSlots;
import dev.satchel.runner.sandbox.bubblewrap.SandboxMounts;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system without mapped mounts: the files are the run's until it ends. */
class ChownedWorkspaceTest extends SandboxContract {
    @BeforeAll
    static void needsRoot() throws IOException {
        OpenSandboxes.assumeRoot();
    }

    @Override
    SandboxFactory sandboxes() throws IOException {
        Map<String, String> environment = System.getenv();
        HostCapabilities host = HostCapabilities.detect(SandboxSetup.findBubblewrap(environment));
        RunSlots slots = new RunSlots(RunSlots.defaultDirectory(environment));
        return new BubblewrapSandboxFactory(
                host,
                slots,
                new SandboxMounts(host, false),
                ReachableHosts.NONE,
                SandboxFactory.HOST);
    }

    @Override
    String seenWorkspace(Path workspace) {
        return Sandbox.WORKSPACE;
    }

    @Test
    void filesAreTakenBackWhenTheRunEnds(@TempDir Path other) throws Exception {
        SandboxSpec spec =
                new SandboxSpec("run", other, SandboxLimits.DEFAULT, List.of(), Map.of());
        Path file = Files.writeString(other.resolve("outside"), "x");
        try (Sandbox sandbox = sandboxes().open(spec)) {
            OpenSandboxes.sh(sandbox, "mkdir folder; echo x >folder/inside");
            assertThat(FileOwnership.ownerOf(file)).isNotZero();
        }

        assertThat(List.of(other, file, other.resolve("folder"), other.resolve("folder/inside")))
                .allSatisfy(path -> assertThat(FileOwnership.ownerOf(path)).isZero());
    }
}
