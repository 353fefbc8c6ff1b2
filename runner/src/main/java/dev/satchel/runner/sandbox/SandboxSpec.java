package dev.satchel.runner.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one run's sandbox. The environment contains the agent's variables, never a key or
 * token of Satchel.
 *
 * @param skills a directory that commands can read, with a folder for each skill; null for none
 */
public record SandboxSpec(
        String runId,
        Path workspace,
        SandboxLimits limits,
        List<String> allowedHosts,
        Map<String, String> environment,
        @Nullable Path skills) {

    /** Without skills. */
    public SandboxSpec(
            String runId,
            Path workspace,
            SandboxLimits limits,
            List<String> allowedHosts,
            Map<String, String> environment) {
        this(runId, workspace, limits, allowedHosts, environment, null);
    }

    public SandboxSpec {
        allowedHosts = List.copyOf(allowedHosts);
        environment = Map.copyOf(environment);
    }
}
