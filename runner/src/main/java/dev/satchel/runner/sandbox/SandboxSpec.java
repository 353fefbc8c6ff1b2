package dev.satchel.runner.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The settings of one run's sandbox. The environment contains the agent's variables, never a key or
 * token of Satchel.
 */
public record SandboxSpec(
        String runId,
        Path workspace,
        SandboxLimits limits,
        List<String> allowedHosts,
        Map<String, String> environment) {
    public SandboxSpec {
        allowedHosts = List.copyOf(allowedHosts);
        environment = Map.copyOf(environment);
    }
}
