package dev.satchel.server.sandbox;

import dev.satchel.runner.InvalidConfigurationException;
import dev.satchel.runner.RunnerConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The variables of a server that its runners read. */
public final class RunnerVariables {
    private static final List<String> PREFIXES =
            List.of(
                    "ANTHROPIC_",
                    "OPENAI_",
                    "GEMINI_",
                    "AZURE_OPENAI_",
                    "BEDROCK_",
                    "OLLAMA_",
                    "SATCHEL_MODEL",
                    "SATCHEL_SANDBOX_",
                    "SATCHEL_DOCUMENT_",
                    "SATCHEL_DOCUMENTS_",
                    "SATCHEL_PDF_");
    private static final List<String> NAMES =
            List.of(
                    "AWS_BEARER_TOKEN_BEDROCK",
                    "AWS_REGION",
                    "SATCHEL_EGRESS_HOSTS",
                    "SATCHEL_EGRESS_PORTS",
                    "SATCHEL_PRIVATE_HOSTS",
                    "SATCHEL_LOG_LEVEL",
                    "SATCHEL_OCR",
                    "SATCHEL_SANDBOX");
    private static final Set<String> OF_THE_SERVER =
            Set.of("SATCHEL_SANDBOX_IMAGE", "SATCHEL_MODELS_FILE");

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
     * The variables for a runner in a container: those of the models, of which {@code keys} have
     * the keys, and of the sandbox. Addresses and secrets of the server are not among them.
     */
    public static Map<String, String> forContainer(
            Map<String, String> variables, Set<String> keys) {
        Map<String, String> selected = new TreeMap<>();
        variables.forEach(
                (name, value) -> {
                    boolean isSelected =
                            keys.contains(name)
                                    || NAMES.contains(name)
                                    || PREFIXES.stream().anyMatch(name::startsWith);
                    if (isSelected && !OF_THE_SERVER.contains(name)) {
                        selected.put(name, value);
                    }
                });
        return selected;
    }
}
