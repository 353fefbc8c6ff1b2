package dev.satchel.client;

import dev.satchel.client.model.Agent;
import dev.satchel.client.model.AgentSpec;
import dev.satchel.client.model.RunAnswer;
import dev.satchel.client.model.RunRequest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Saved agents, and runs of them without a chat. */
public final class Agents {
    private static final String AGENTS = "/api/agents";
    private static final String UPLOADS = "/agent-server/api/upload";

    private final HttpCalls calls;
    private final FileTransfers transfers;
    private final Runs runs;

    Agents(HttpCalls calls, FileTransfers transfers, Runs runs) {
        this.calls = calls;
        this.transfers = transfers;
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

    /** Stores files of this machine for a run and returns their ids; unused ones expire. */
    public List<String> upload(List<Path> files, TransferProgressListener progress)
            throws IOException, InterruptedException {
        return transfers.upload(UPLOADS, files, progress, Uploaded.class).files().stream()
                .map(Uploaded.File::fileId)
                .toList();
    }

    /** Runs it and waits for its answer, however long that takes, across lost connections. */
    public RunAnswer run(String agent, String prompt) throws IOException, InterruptedException {
        return run(agent, RunRequest.of(prompt));
    }

    /** As {@link #run(String, String)}, with files. */
    public RunAnswer run(String agent, RunRequest request)
            throws IOException, InterruptedException {
        return calls.await(path(agent) + "/runs", request, RunAnswer.class);
    }

    /** Runs it and returns all its events, logs included; a lost connection is opened again. */
    public RunEvents start(String agent, String prompt) throws IOException, InterruptedException {
        return start(agent, RunRequest.of(prompt));
    }

    /** As {@link #start(String, String)}, with files. */
    public RunEvents start(String agent, RunRequest request)
            throws IOException, InterruptedException {
        ObjectNode body = ClientJson.MAPPER.valueToTree(request);
        body.put("onDisconnect", "continue");
        HttpRequest first =
                calls.json(path(agent) + "/runs")
                        .header("Accept", "application/x-ndjson")
                        .POST(HttpCalls.body(body))
                        .build();
        return runs.follow(first);
    }

    private record All(List<Agent> agents) {}

    private record Uploaded(List<File> files) {
        private record File(String fileId) {}
    }

    private static String path(String agent) {
        return AGENTS + "/" + HttpCalls.encoded(agent);
    }
}
