package dev.satchel.server.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Fields;
import dev.satchel.server.run.RunSetup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tools that a session allows and refuses, with the names that its client gave. It can take
 * tools from an agent, but never give it one.
 *
 * @param allowedTools null for all of the agent
 * @param disallowedTools null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionConfig(@Nullable List<String> allowedTools, @Nullable List<String> disallowedTools) {
    static final SessionConfig NONE = new SessionConfig(null, null);

    private static final int MAX_TOOLS = 256;
    private static final int MAX_NAME = 200;

    SessionConfig {
        allowedTools = names("allowedTools", allowedTools);
        disallowedTools = names("disallowedTools", disallowedTools);
    }

    private static @Nullable List<String> names(String field, @Nullable List<String> tools) {
        if (tools == null) {
            return null;
        }
        if (tools.size() > MAX_TOOLS) {
            throw Fields.invalid(field, "has more than " + MAX_TOOLS + " entries");
        }
        for (String tool : tools) {
            Fields.text(field, tool, MAX_NAME);
            if (tool.indexOf('(') >= 0) {
                throw Fields.invalid(
                        field, "has " + tool + ": a part of a tool can be neither allowed nor not");
            }
        }
        return List.copyOf(tools);
    }

    boolean isEmpty() {
        return equals(NONE);
    }

    /** This one with what another names. */
    SessionConfig with(SessionConfig other) {
        return new SessionConfig(
                other.allowedTools == null ? allowedTools : other.allowedTools,
                other.disallowedTools == null ? disallowedTools : other.disallowedTools);
    }

    /** The setup of the agent with these tools only. */
    RunSetup apply(RunSetup agents) {
        List<String> tools = agents.tools();
        if (allowedTools != null) {
            SessionTools allowed = SessionTools.of(allowedTools);
            tools = tools == null ? allowed.names() : allowed.amongOf(tools);
        }
        Map<String, String> permissions = new HashMap<>(agents.permissions());
        if (disallowedTools != null) {
            SessionTools refused = SessionTools.of(disallowedTools);
            tools = tools == null ? null : refused.without(tools);
            permissions.keySet().removeIf(refused::covers);
            refused.names().forEach(tool -> permissions.put(tool, "deny"));
        }
        return agents.withTools(tools, permissions);
    }
}
