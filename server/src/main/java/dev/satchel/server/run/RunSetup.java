package dev.satchel.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.agent.AgentSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a run as it was when the run started: a later edit of the agent has no effect.
 *
 * @param maxRounds 0 for the default of the server
 * @param permissions what the tools may do; empty when everything is allowed
 * @param onAsk what a headless run does when it would ask a person; null for park
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunSetup(
        @Nullable String systemPrompt,
        RunConfig.@Nullable Model model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        RunConfig.@Nullable Command command,
        Map<String, String> permissions,
        @Nullable String onAsk) {

    public RunSetup {
        permissions = permissions == null ? Map.of() : Map.copyOf(permissions);
        variables = Map.copyOf(variables);
        allowedHosts = List.copyOf(allowedHosts);
    }

    public static RunSetup of(AgentSpec agent) {
        return new RunSetup(
                agent.systemPrompt().isEmpty() ? null : agent.systemPrompt(),
                agent.model().config().orElse(null),
                agent.variables(),
                agent.script(),
                agent.maxRounds(),
                agent.allowedHosts(),
                null,
                agent.permissions(),
                null);
    }

    /** The setup of a conversation without an agent. */
    public static RunSetup plain() {
        return new RunSetup(null, null, Map.of(), "", 0, List.of(), null, Map.of(), null);
    }

    /** The same setup with a model of the registry, if an id is given. */
    public RunSetup withModel(@Nullable String id) {
        return id == null ? this : with(RunConfig.Model.ofRegistry(id));
    }

    /** The same setup with another model. */
    public RunSetup with(RunConfig.@Nullable Model other) {
        return new RunSetup(
                systemPrompt,
                other,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                permissions,
                onAsk);
    }

    /** The same setup for one command instead of an agent. */
    public RunSetup running(RunConfig.Command line) {
        return new RunSetup(
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                line,
                permissions,
                onAsk);
    }

    /** The same setup for a run that does this when it would ask a person. */
    public RunSetup onAsk(@Nullable String action) {
        return new RunSetup(
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                permissions,
                action);
    }
}
