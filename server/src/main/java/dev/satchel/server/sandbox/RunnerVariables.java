package dev.satchel.server.sandbox;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a server hands on of its own variables to a runner that it starts elsewhere. */
public final class RunnerVariables {
    private static final List<String> PREFIXES =
            List.of("ANTHROPIC_", "OPENAI_", "SATCHEL_MODEL", "SATCHEL_SANDBOX_");
    private static final List<String> NAMES =
            List.of("SATCHEL_PRIVATE_HOSTS", "SATCHEL_LOG_LEVEL", "SATCHEL_SANDBOX");
    private static final String IMAGE = "SATCHEL_SANDBOX_IMAGE";

    private RunnerVariables() {}

    /** The model's and the limits', nothing else: no database, no store, no key of ours. */
    public static Map<String, String> of(Map<String, String> own) {
        Map<String, String> handedOn = new TreeMap<>();
        own.forEach(
                (name, value) -> {
                    boolean meant =
                            NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
                    if (meant && !name.equals(IMAGE)) {
                        handedOn.put(name, value);
                    }
                });
        return handedOn;
    }
}
