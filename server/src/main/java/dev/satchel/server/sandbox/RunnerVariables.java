package dev.satchel.server.sandbox;

import dev.satchel.runner.InvalidConfigurationException;
import dev.satchel.runner.RunnerConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The variables of a server that its runners read. */
public final class RunnerVariables {
    private static final List<String> PREFIXES =
            List.of("ANTHROPIC_", "OPENAI_", "SATCHEL_MODEL", "SATCHEL_SANDBOX_");
    private static final List<String> NAMES =
            List.of("SATCHEL_PRIVATE_HOSTS", "SATCHEL_LOG_LEVEL", "SATCHEL_SANDBOX");
    private static final String IMAGE = "SATCHEL_SANDBOX_IMAGE";

    private RunnerVariables() {}

    /** Every problem that a runner with these variables would report. */
    public static List<String> problems(Map<String, String> variables) {
        try {
            RunnerConfiguration _ =
                    RunnerConfiguration.embedded(variables, Path.of("data"), "unused");
            return List.of();
        } catch (InvalidConfigurationException e) {
            return e.problems();
        }
    }

    /**
     * The variables for a runner in a container: those of the model and of the sandbox. Addresses
     * and secrets of the server are not among them.
     */
    public static Map<String, String> forContainer(Map<String, String> variables) {
        Map<String, String> selected = new TreeMap<>();
        variables.forEach(
                (name, value) -> {
                    boolean isSelected =
                            NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
                    if (isSelected && !name.equals(IMAGE)) {
                        selected.put(name, value);
                    }
                });
        return selected;
    }
}
