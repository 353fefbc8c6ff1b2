package dev.satchel.runner.sandbox;

import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandbox;
import dev.satchel.runner.sandbox.bubblewrap.NamespaceCalls;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** The sandboxes that tests share, as a runner on this machine would have them. */
public final class OpenSandboxes {
    public static final SandboxFactory BUBBLEWRAP = SandboxSetup.detect(System.getenv());

    /** Small enough to be used up quickly, large enough for a shell and perl. */
    public static final SandboxLimits SMALL = new SandboxLimits(128L << 20, 64, 100, 32L << 20);

    private static final Duration LONG = Duration.ofSeconds(50);

    private OpenSandboxes() {}

    public static BubblewrapSandbox open(Path workspace, String... allowedHosts)
            throws IOException {
        return open(workspace, SMALL, allowedHosts);
    }

    public static BubblewrapSandbox open(
            Path workspace, SandboxLimits limits, String... allowedHosts) throws IOException {
        SandboxSpec spec =
                new SandboxSpec("run", workspace, limits, List.of(allowedHosts), Map.of());
        return (BubblewrapSandbox) BUBBLEWRAP.open(spec);
    }

    public static CommandResult sh(Sandbox sandbox, String script)
            throws IOException, InterruptedException {
        return sandbox.run(Command.shell(script, LONG, 100_000));
    }

    public static void assumeRoot() throws IOException {
        Assumptions.assumeTrue(
                NamespaceCalls.effectiveUser() == 0,
                "users, mounts and control groups of a run's own need root");
    }
}
