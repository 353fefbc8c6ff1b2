package dev.satchel.client;

import dev.satchel.client.model.Agent;
import dev.satchel.client.model.AgentSpec;
import dev.satchel.client.model.RunAnswer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Saved agents, and runs of them without a chat. */
public final class Agents {
    private static final String AGENTS = "/api/agents";

    private final HttpCalls calls;
    private final Runs runs;

    Agents(HttpCalls calls, Runs runs) {
        this.calls = calls;
        this.runs = runs;
    }

    public List<Agent> list() throws IOException, InterruptedException {
        return calls.get(AGENTS, All.class).agents();
    }

    public Agent read(String agent) throws IOException, InterruptedException {
        return calls.get(path(agent), Agent.class);
    }

    public Agent create(AgentSpec spec) throws IOException, InterruptedException {
        return calls.post(AGENTS, spec, Agent.class);
    }

    /** As {@link #create(AgentSpec)}, also with what this client does not know. */
    public Agent create(ObjectNode spec) throws IOException, InterruptedException {
        return calls.post(AGENTS, spec, Agent.class);
    }

    /** Runs that have begun keep what they began with. */
    public Agent replace(String agent, AgentSpec spec) throws IOException, InterruptedException {
        return calls.send("PUT", path(agent), spec, Agent.class);
    }

    /** As {@link #replace(String, AgentSpec)}, also with what this client does not know. */
    public Agent replace(String agent, ObjectNode spec) throws IOException, InterruptedException {
        return calls.send("PUT", path(agent), spec, Agent.class);
    }

    public void delete(String agent) throws IOException, InterruptedException {
        calls.delete(path(agent));
    }

    /** Runs it and waits for its answer, however long that takes, across lost connections. */
    public RunAnswer run(String agent, String prompt) throws IOException, InterruptedException {
        return calls.await(path(agent) + "/runs", Map.of("prompt", prompt), RunAnswer.class);
    }

    /** Runs it and returns all its events, logs included; a lost connection is opened again. */
    public RunEvents start(String agent, String prompt) throws IOException, InterruptedException {
        HttpRequest first =
                calls.json(path(agent) + "/runs")
                        .header("Accept", "application/x-ndjson")
                        .POST(HttpCalls.body(Map.of("prompt", prompt, "onDisconnect", "continue")))
                        .build();
        return runs.follow(first);
    }

    private record All(List<Agent> agents) {}

    private static String path(String agent) {
        return AGENTS + "/" + HttpCalls.encoded(agent);
    }
}
