package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.run.RunSetup;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/sessions}. */
record NewSession(String agent, @Nullable String model, @Nullable String systemPrompt) {
    private static final int MAX_NAME = 200;
    private static final int MAX_PROMPT = 100_000;

    NewSession {
        Fields.text("agent", agent, MAX_NAME);
        if (model != null) {
            Fields.text("model", model, MAX_NAME);
        }
        if (systemPrompt != null) {
            Fields.atMost("systemPrompt", systemPrompt, MAX_PROMPT);
        }
    }

    /** The agent's setup with what this session wants otherwise. */
    RunSetup over(RunSetup agents) {
        return new RunSetup(
                systemPrompt == null ? agents.systemPrompt() : systemPrompt,
                model == null ? agents.model() : named(agents.model(), model),
                agents.variables(),
                agents.script(),
                agents.maxRounds(),
                agents.allowedHosts());
    }

    private static RunConfig.Model named(RunConfig.@Nullable Model agents, String name) {
        return agents == null
                ? new RunConfig.Model(null, name, null, null)
                : new RunConfig.Model(agents.provider(), name, agents.baseUrl(), agents.apiKey());
    }
}
