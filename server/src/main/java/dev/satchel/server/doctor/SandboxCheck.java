package dev.satchel.server.doctor;

import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.sandbox.setup.SandboxUnavailableException;
import dev.satchel.tools.grep.Ripgrep;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a command in a sandbox, as a runner does when it starts. */
public final class SandboxCheck {
    private static final String BUBBLEWRAP = "bubblewrap";
    private static final String CGROUPS = "cgroups";
    private static final String RIPGREP = "ripgrep";

    private SandboxCheck() {}

    public static List<Finding> check(Map<String, String> variables) {
        if (variables.getOrDefault("SATCHEL_SANDBOX", "").equals("unsafe")) {
            return List.of(
                    Finding.warning(
                            BUBBLEWRAP,
                            "SATCHEL_SANDBOX=unsafe: commands run as the server's own user"));
        }
        try {
            SandboxFactory sandboxes = SandboxSetup.detect(variables);
            Finding works =
                    Finding.ok(
                            BUBBLEWRAP,
                            sandboxes.root().equals(SandboxFactory.HOST)
                                    ? "a command ran in a sandbox"
                                    : "a command ran in a sandbox with the programs of "
                                            + sandboxes.root());
            return List.of(
                    works,
                    sandboxes
                            .warning()
                            .map(warning -> Finding.warning(CGROUPS, warning))
                            .orElse(Finding.ok(CGROUPS, "runs are held to their limits")),
                    ripgrep(sandboxes.root()));
        } catch (IllegalArgumentException e) { // a wrong value of a variable
            return List.of(Finding.problem(BUBBLEWRAP, e));
        } catch (SandboxUnavailableException e) {
            return List.of(Finding.problem(BUBBLEWRAP, e));
        }
    }

    private static Finding ripgrep(Path root) {
        return Ripgrep.find(root).isPresent()
                ? Finding.ok(RIPGREP, "agents search files with it")
                : Finding.warning(
                        RIPGREP,
                        "not installed, so agents search files more slowly; on Debian:"
                                + " apt-get install ripgrep");
    }
}
