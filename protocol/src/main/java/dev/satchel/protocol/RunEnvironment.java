package dev.satchel.protocol;

import java.util.Map;

/**
 * The response of {@code GET {agent_url}/env}: variables, and a script that runs before the first
 * round.
 */
public record RunEnvironment(Map<String, String> variables, String script) {
    public RunEnvironment {
        variables = Map.copyOf(variables);
    }
}
