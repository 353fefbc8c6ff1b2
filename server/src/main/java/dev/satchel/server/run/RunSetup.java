package dev.satchel.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.RunConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run's agent is, as it was when the run began: a later edit of the agent does not reach it.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunSetup(
        @Nullable String systemPrompt,
        RunConfig.@Nullable Model model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        RunConfig.@Nullable Command command) {

    public static final int DEFAULT_MAX_ROUNDS = 10;

    public RunSetup {
        variables = Map.copyOf(variables);
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** A turn of a conversation without an agent of its own. */
    public static RunSetup plain() {
        return new RunSetup(null, null, Map.of(), "", DEFAULT_MAX_ROUNDS, List.of(), null);
    }

    /** The same place to work in for one command instead of an agent. */
    public RunSetup running(RunConfig.Command line) {
        return new RunSetup(systemPrompt, model, variables, script, maxRounds, allowedHosts, line);
    }
}
