package dev.satchel.runner.sandbox;

import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandboxFactory;
import dev.satchel.runner.sandbox.bubblewrap.HostCapabilities;
import dev.satchel.runner.sandbox.bubblewrap.NamespaceCalls;
import dev.satchel.runner.sandbox.bubblewrap.RunSlots;
import dev.satchel.runner.sandbox.bubblewrap.SandboxMounts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Chooses how commands are isolated, once, when the runner starts. */
public final class SandboxSetup {
    private static final String CHOICE = "SATCHEL_SANDBOX";
    private static final String UNSAFE = "unsafe";
    private static final String WAY_OUT =
            "; or set " + CHOICE + "=" + UNSAFE + " to run commands without isolation";
    private static final Command PROBE =
            Command.shell("echo works", Duration.ofSeconds(30), 10_000);

    private SandboxSetup() {}

    /**
     * Bubblewrap if a command really runs in it, nothing at all if the operator says so, else a
     * SandboxUnavailableException. Also sweeps what killed runners left.
     */
    public static SandboxFactory detect(Map<String, String> environment) {
        String choice = environment.getOrDefault(CHOICE, "");
        if (choice.equals(UNSAFE)) {
            return new UnsafeSandboxFactory();
        }
        if (!choice.isEmpty() && !choice.equals("bubblewrap")) {
            throw new SandboxUnavailableException(
                    CHOICE + " is " + choice + "; it may be bubblewrap or " + UNSAFE);
        }
        Path bubblewrap = findBubblewrap(environment);
        try {
            SandboxFactory sandboxes =
                    bubblewrap(bubblewrap, runsFolder(environment), PrivateHosts.from(environment));
            probe(sandboxes);
            return sandboxes;
        } catch (IOException e) {
            throw new SandboxUnavailableException(
                    "bubblewrap does not work here ("
                            + e.getMessage()
                            + "); it needs the Debian package bubblewrap, 0.8 or newer, and a"
                            + " kernel that allows user namespaces"
                            + WAY_OUT,
                    e);
        }
    }

    static SandboxFactory bubblewrap(Path bubblewrap, Path runs, PrivateHosts privateHosts)
            throws IOException {
        RunSlots slots = new RunSlots(runs);
        slots.sweep();
        HostCapabilities host = HostCapabilities.detect(bubblewrap);
        return new BubblewrapSandboxFactory(
                host, slots, new SandboxMounts(host, true), privateHosts);
    }

    static Path findBubblewrap(Map<String, String> environment) {
        String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        return Arrays.stream(path.split(":"))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> new File(folder, "bwrap")) // a Path refuses names of other scripts
                .filter(File::canExecute)
                .findFirst()
                .map(File::toPath)
                .orElseThrow(
                        () ->
                                new SandboxUnavailableException(
                                        "bubblewrap is missing: install the Debian package"
                                                + " bubblewrap (apt-get install bubblewrap)"
                                                + WAY_OUT));
    }

    /** One folder for all runners of a host, so that no two runs get the same user. */
    public static Path runsFolder(Map<String, String> environment) throws IOException {
        if (NamespaceCalls.effectiveUser() == 0) {
            return Path.of("/run/satchel-sandbox");
        }
        String own = environment.get("XDG_RUNTIME_DIR");
        if (own != null) {
            return Path.of(own, "satchel-sandbox");
        }
        return Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "satchel-sandbox-" + NamespaceCalls.effectiveUser());
    }

    private static void probe(SandboxFactory sandboxes) throws IOException {
        Path workspace = Files.createTempDirectory("satchel-probe");
        SandboxSpec spec =
                new SandboxSpec("probe", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (Sandbox sandbox = sandboxes.open(spec)) {
            CommandResult result = sandbox.run(PROBE);
            if (!result.output().equals("works\n")) {
                throw new IOException(result.output().strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while trying it", e);
        } finally {
            Files.deleteIfExists(workspace);
        }
    }
}
