package dev.satchel.runner.agent;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.model.ModelFactory;
import dev.satchel.runner.model.ModelWireFormat;
import dev.satchel.runner.model.OperatorModels;
import dev.satchel.runner.model.RetryPolicy;
import dev.satchel.runner.model.ScriptedProvider;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import dev.satchel.runner.tool.AssetClient;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A model agent with a scripted provider, a workspace and a tool. */
@Timeout(60)
abstract class ModelAgentFixture {
    /** Repeats at once. */
    private static final RetryPolicy NO_WAIT = new RetryPolicy(Clock.systemUTC(), _ -> {}, () -> 0);

    static final String OVERFLOW =
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
                    + "\"prompt is too long: 210000 tokens > 200000 maximum\"}}";

    @TempDir Path folder;
    final ModelWireFormat wire = new ModelWireFormat.Anthropic();
    private final OutboundHttpClient connections = new OutboundHttpClient();
    final List<SandboxLine> lines = Collections.synchronizedList(new ArrayList<>());
    LoopSettings settings = LoopSettings.DEFAULT;
    ScriptedProvider provider;
    SafeDirectory workspace;

    @BeforeEach
    void open() throws IOException {
        provider = new ScriptedProvider();
        workspace = SafeDirectory.open(folder);
    }

    @AfterEach
    void close() {
        connections.close();
        provider.close();
        workspace.close();
    }

    /** Returns its argument. */
    static final class Echo implements Tool<ToolContext> {
        @Override
        public ToolDescription description() {
            return new ToolDescription(
                    "echo",
                    List.of(),
                    "Says it again.",
                    "{\"properties\": {\"say\": {\"type\": \"string\"}}}");
        }

        @Override
        public ToolResult call(JsonNode arguments, ToolContext context) {
            return ToolResult.success("echo: " + arguments.path("say").asString());
        }
    }

    /** No tool of these tests runs a command. */
    private static final class NoSandbox implements Sandbox {
        @Override
        public CommandResult run(Command command) {
            throw new IllegalStateException("no command expected");
        }

        @Override
        public SandboxProcess start(List<String> arguments) {
            throw new IllegalStateException("no program expected");
        }

        @Override
        public void close() {}
    }

    final AgentTask task(int maxRounds, List<RunConfig.File> files, boolean streamText) {
        return task(maxRounds, files, streamText, new Toolset(List.of(new Echo())));
    }

    final AgentTask task(
            int maxRounds, List<RunConfig.File> files, boolean streamText, Toolset tools) {
        ToolContext context = new ToolContext(workspace, new NoSandbox(), AssetClient.NONE);
        return new AgentTask(
                "what now?",
                List.of(new ChatTurn("user", "earlier", 1), new ChatTurn("assistant", "yes", 2)),
                "You are a pirate.",
                maxRounds,
                files,
                false,
                tools,
                context,
                streamText);
    }

    final String answer(AgentTask task) throws Exception {
        return run(task).text();
    }

    final AgentAnswer run(AgentTask task) throws Exception {
        return run(task, 0);
    }

    /** With a window of so many tokens. */
    final AgentAnswer run(AgentTask task, int contextTokens) throws Exception {
        return run(
                task,
                contextTokens,
                new StepRecorder(lines::add, Clock.systemUTC(), settings.stepOutputBytes()));
    }

    final AgentAnswer run(AgentTask task, int contextTokens, StepRecorder steps) throws Exception {
        ModelFactory models =
                new ModelFactory(
                        OperatorModels.NONE,
                        Duration.ofSeconds(30),
                        connections,
                        connections,
                        ReachableHosts.NONE,
                        NO_WAIT);
        RunConfig.Model wanted =
                new RunConfig.Model(
                        "test",
                        "anthropic",
                        "m",
                        wire.baseUrl(provider),
                        "key",
                        null,
                        contextTokens,
                        null,
                        null,
                        null);
        return new ModelAgent(models.find(wanted).orElseThrow(), settings).answer(task, steps);
    }

    final List<String> deltas() {
        return lines.stream()
                .filter(SandboxLine.Delta.class::isInstance)
                .map(line -> ((SandboxLine.Delta) line).text())
                .toList();
    }

    final String lastUserContent() {
        return provider.asked().getLast().body().path("messages").toString();
    }
}
