package dev.satchel.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.agent.AgentSpec;
import dev.satchel.server.skill.SkillReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a run as it was when the run started: a later edit of the agent has no effect.
 *
 * @param agent null for a run without a saved agent
 * @param maxRounds 0 for the default of the server
 * @param tools the names of the tools that the agent has; null for all
 * @param permissions what the tools may do; empty when everything is allowed
 * @param onAsk what a headless run does when it would ask a person; null for park
 * @param mcpServers the MCP servers of the agent, with the names of credentials only
 * @param skillNames the skills that the agent names
 * @param skills the versions of them that the run uses; empty before it starts
 * @param traceparent the trace of the request that has started the run; null without traces
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunSetup(
        @Nullable AgentReference agent,
        @Nullable String systemPrompt,
        RunConfig.@Nullable Model model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        RunConfig.@Nullable Command command,
        @Nullable List<String> tools,
        Map<String, String> permissions,
        @Nullable String onAsk,
        Map<String, RunConfig.McpServer> mcpServers,
        List<String> skillNames,
        List<SkillReference> skills,
        @Nullable String traceparent) {

    public RunSetup {
        skillNames = skillNames == null ? List.of() : List.copyOf(skillNames);
        skills = skills == null ? List.of() : List.copyOf(skills);
        mcpServers = mcpServers == null ? Map.of() : Map.copyOf(mcpServers);
        permissions = permissions == null ? Map.of() : Map.copyOf(permissions);
        tools = tools == null ? null : List.copyOf(tools);
        variables = Map.copyOf(variables);
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** Of a run that no request of a trace has started. */
    public RunSetup(
            @Nullable AgentReference agent,
            @Nullable String systemPrompt,
            RunConfig.@Nullable Model model,
            Map<String, String> variables,
            String script,
            int maxRounds,
            List<String> allowedHosts,
            RunConfig.@Nullable Command command,
            @Nullable List<String> tools,
            Map<String, String> permissions,
            @Nullable String onAsk,
            Map<String, RunConfig.McpServer> mcpServers,
            List<String> skillNames,
            List<SkillReference> skills) {
        this(
                agent,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                tools,
                permissions,
                onAsk,
                mcpServers,
                skillNames,
                skills,
                null);
    }

    public static RunSetup of(Agent agent) {
        AgentSpec spec = agent.spec();
        return new RunSetup(
                AgentReference.of(agent),
                spec.systemPrompt().isEmpty() ? null : spec.systemPrompt(),
                spec.model().config().orElse(null),
                spec.variables(),
                spec.script(),
                spec.maxRounds(),
                spec.allowedHosts(),
                null,
                spec.tools(),
                spec.permissions(),
                null,
                spec.mcpServers(),
                spec.skills(),
                List.of());
    }

    /** The setup of a conversation without an agent. */
    public static RunSetup plain() {
        return new RunSetup(
                null, null, null, Map.of(), "", 0, List.of(), null, null, Map.of(), null, Map.of(),
                List.of(), List.of());
    }

    /** The same setup with a model of the registry, if an id is given. */
    public RunSetup withModel(@Nullable String id) {
        return id == null ? this : with(RunConfig.Model.ofRegistry(id));
    }

    /** The same setup with another model. */
    public RunSetup with(RunConfig.@Nullable Model other) {
        return new RunSetup(
                agent,
                systemPrompt,
                other,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                tools,
                permissions,
                onAsk,
                mcpServers,
                skillNames,
                skills,
                traceparent);
    }

    /** The same setup with instructions after those of the agent, if there are any. */
    public RunSetup withInstructions(@Nullable String more) {
        return more == null
                ? this
                : prompted(systemPrompt == null ? more : systemPrompt + "\n\n" + more);
    }

    private RunSetup prompted(String prompt) {
        return new RunSetup(
                agent,
                prompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                tools,
                permissions,
                onAsk,
                mcpServers,
                skillNames,
                skills,
                traceparent);
    }

    /** The same setup with other tools and permissions. */
    public RunSetup withTools(@Nullable List<String> names, Map<String, String> allowed) {
        return new RunSetup(
                agent,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                names,
                allowed,
                onAsk,
                mcpServers,
                skillNames,
                skills,
                traceparent);
    }

    /** The same setup for one command instead of an agent. */
    public RunSetup running(RunConfig.Command line) {
        return new RunSetup(
                agent,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                line,
                tools,
                permissions,
                onAsk,
                mcpServers,
                skillNames,
                skills,
                traceparent);
    }

    /** The same setup for a run that does this when it would ask a person. */
    public RunSetup onAsk(@Nullable String action) {
        return new RunSetup(
                agent,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                tools,
                permissions,
                action,
                mcpServers,
                skillNames,
                skills,
                traceparent);
    }

    /** The same setup with the versions of the skills that a run uses. */
    public RunSetup withSkills(List<SkillReference> versions) {
        return new RunSetup(
                agent,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                command,
                tools,
                permissions,
                onAsk,
                mcpServers,
                skillNames,
                versions,
                traceparent);
    }

    /** The same setup for a run that a request of a trace has started. */
    public RunSetup tracedBy(Optional<TraceContext> trace) {
        return trace.isEmpty()
                ? this
                : new RunSetup(
                        agent,
                        systemPrompt,
                        model,
                        variables,
                        script,
                        maxRounds,
                        allowedHosts,
                        command,
                        tools,
                        permissions,
                        onAsk,
                        mcpServers,
                        skillNames,
                        skills,
                        trace.get().header());
    }
}
