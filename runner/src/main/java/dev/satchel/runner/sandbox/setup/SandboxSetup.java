package dev.satchel.runner.sandbox.setup;

import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandboxFactory;
import dev.satchel.runner.sandbox.bubblewrap.RunSlots;
import dev.satchel.runner.sandbox.unsafe.UnsafeSandboxFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses how commands are isolated, once, when the runner starts. */
public final class SandboxSetup {
    private static final String CHOICE = "SATCHEL_SANDBOX";
    private static final String ROOT = "SATCHEL_SANDBOX_ROOT";
    private static final String BUBBLEWRAP = "bubblewrap";
    private static final String UNSAFE = "unsafe";
    private static final String ALTERNATIVE =
            "; or set " + CHOICE + "=" + UNSAFE + " to run commands without isolation";
    private static final Command PROBE =
            Command.shell("echo works", Duration.ofSeconds(30), 10_000);

    private SandboxSetup() {}

    /** Describes a wrong value of a variable of sandboxes; empty when all are right. */
    public static Optional<String> problem(Map<String, String> environment) {
        String choice = environment.getOrDefault(CHOICE, "");
        return List.of("", BUBBLEWRAP, UNSAFE).contains(choice)
                ? rootProblem(environment, choice)
                : Optional.of(
                        CHOICE + " must be " + BUBBLEWRAP + " or " + UNSAFE + ", not " + choice);
    }

    private static Optional<String> rootProblem(Map<String, String> environment, String choice) {
        String root = environment.getOrDefault(ROOT, "");
        if (root.isEmpty()) {
            return Optional.empty();
        }
        if (choice.equals(UNSAFE)) {
            return Optional.of(ROOT + " needs bubblewrap: " + CHOICE + "=unsafe has no root");
        }
        return root.startsWith("/") && new File(root, "usr").isDirectory()
                ? Optional.empty()
                : Optional.of(
                        ROOT
                                + " must be the absolute path of a folder with programs in usr, as"
                                + " ./satchel sandbox-root makes one, not "
                                + root);
    }

    private static Path root(Map<String, String> environment) throws IOException {
        String root = environment.getOrDefault(ROOT, "");
        return root.isEmpty() ? SandboxFactory.HOST : Path.of(root).toRealPath();
    }

    /**
     * Returns bubblewrap sandboxes after a command ran in one, or sandboxes without isolation if
     * SATCHEL_SANDBOX asks for them. Also removes what killed runners left.
     *
     * @throws SandboxUnavailableException when commands cannot be isolated on this machine
     */
    public static SandboxFactory detect(Map<String, String> environment) {
        problem(environment)
                .ifPresent(
                        problem -> {
                            throw new IllegalArgumentException(problem);
                        });
        if (environment.getOrDefault(CHOICE, "").equals(UNSAFE)) {
            return new UnsafeSandboxFactory();
        }
        Path bubblewrap = findBubblewrap(environment);
        try {
            SandboxFactory sandboxes =
                    BubblewrapSandboxFactory.create(
                            bubblewrap,
                            RunSlots.defaultDirectory(environment),
                            ReachableHosts.from(environment),
                            root(environment));
            probe(sandboxes);
            return sandboxes;
        } catch (IOException e) {
            String root = environment.getOrDefault(ROOT, "");
            if (!root.isEmpty()) {
                throw new SandboxUnavailableException(
                        "no command runs in a sandbox with "
                                + ROOT
                                + "="
                                + root
                                + " ("
                                + e.getMessage()
                                + "): every user must be able to read the folder, and it must have"
                                + " /bin/sh; ./satchel sandbox-root makes one",
                        e);
            }
            throw new SandboxUnavailableException(
                    "bubblewrap does not work here ("
                            + e.getMessage()
                            + "): "
                            + NamespaceAdvice.of(Path.of("/"))
                            + ALTERNATIVE,
                    e);
        }
    }

    public static Path findBubblewrap(Map<String, String> environment) {
        String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        return Arrays.stream(path.split(":"))
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> new File(directory, "bwrap")) // Path refuses some names
                .filter(File::canExecute)
                .findFirst()
                .map(File::toPath)
                .orElseThrow(
                        () ->
                                new SandboxUnavailableException(
                                        "bubblewrap is missing: install the Debian package"
                                                + " bubblewrap (apt-get install bubblewrap)"
                                                + ALTERNATIVE));
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
