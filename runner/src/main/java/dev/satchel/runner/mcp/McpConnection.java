package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig.Answer;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.runner.mcp.McpTransportFactory.HttpVariant;
import dev.satchel.runner.mcp.McpTransportFactory.OpenTransport;
import dev.satchel.runner.sandbox.OutputListener;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The connection to one MCP server. After the server was lost, the next call connects again, a few
 * times. For the thread of the loop; notifications come on other threads.
 */
final class McpConnection implements AutoCloseable {
    private static final int MAX_CONNECTS = 4;
    private static final int MAX_PAGES = 100;
    private static final Duration CANCEL_TIME = Duration.ofSeconds(2);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

    /** Servers check the arguments themselves, and the model reads what they return. */
    private static final JsonSchemaValidator NO_VALIDATION =
            (_, content) -> JsonSchemaValidator.ValidationResponse.asValid(String.valueOf(content));

    private final String name;
    private final McpServer server;
    private final McpTransportFactory transports;
    private final McpSettings settings;
    private final boolean canAsk;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final ToolListReader toolLists = new ToolListReader();
    private @Nullable Session session;
    private int connects;
    private volatile boolean toolsChanged;
    private volatile @Nullable RunningCall running;

    /** {@code canAsk} when a person can answer what the server asks. */
    McpConnection(
            String name,
            McpServer server,
            McpTransportFactory transports,
            McpSettings settings,
            boolean canAsk) {
        this.canAsk = canAsk;
        this.name = name;
        this.server = server;
        this.transports = transports;
        this.settings = settings;
    }

    private record Session(
            OpenTransport open,
            ObservedTransport transport,
            McpAsyncClient client,
            CompletableFuture<Object> lost) {}

    private record RunningCall(
            String token, OutputListener output, AtomicReference<@Nullable Elicitation> asked) {}

    /**
     * What a call returned.
     *
     * @param asked what the server asked the person meanwhile, and got no answer
     */
    record Answered(McpSchema.CallToolResult result, @Nullable Elicitation asked) {}

    /**
     * The tools of the server.
     *
     * @param isWhole whether the server has no more than these
     * @param leftOut those that cannot be offered
     * @param changed those of which only a part is offered
     */
    record ListedTools(
            List<McpSchema.Tool> tools,
            boolean isWhole,
            List<ToolListReader.Remark> leftOut,
            List<ToolListReader.Remark> changed) {}

    /** The person has answered what the server asked; it gets the answer when it asks again. */
    void remember(Elicitation asked, Answer answer) {
        answers.put(asked.message(), answer);
    }

    String name() {
        return name;
    }

    McpServer server() {
        return server;
    }

    /** Whether the server has said that it has other tools since they were listed. */
    boolean haveToolsChanged() {
        return toolsChanged;
    }

    /** Connects, if there is no connection. */
    void connect() throws McpServerException, InterruptedException {
        Session current = session;
        if (current != null && !current.lost().isDone()) {
            return;
        }
        close();
        if (connects == MAX_CONNECTS) {
            throw new McpServerException(
                    "it was lost " + connects + " times in this run and is not started again");
        }
        connects++;
        if (server.type().equals(McpServer.STDIO)) {
            session = initialized(null);
            return;
        }
        try {
            session = initialized(HttpVariant.STREAMABLE);
        } catch (McpServerException e) {
            if (e.isConnectionBroken()) {
                throw e;
            }
            session = olderVariant(e);
        }
    }

    private Session olderVariant(McpServerException problem)
            throws McpServerException, InterruptedException {
        try {
            return initialized(HttpVariant.EVENT_STREAM);
        } catch (McpServerException e) {
            if (e.isConnectionBroken()) {
                throw e;
            }
            throw problem; // it does not speak the older variant either
        }
    }

    private Session initialized(@Nullable HttpVariant variant)
            throws McpServerException, InterruptedException {
        CompletableFuture<Object> lost = new CompletableFuture<>();
        OpenTransport open = open(variant, lost);
        ObservedTransport transport =
                new ObservedTransport(
                        open.transport(),
                        open.headers()::redacted,
                        toolLists,
                        () -> toolsChanged = true);
        McpClient.AsyncSpec specification = McpClient.async(transport);
        if (canAsk) {
            specification
                    .capabilities(
                            McpSchema.ClientCapabilities.builder().elicitation(true, false).build())
                    .elicitation(this::elicitation);
        }
        McpAsyncClient client =
                specification
                        .clientInfo(McpSchema.Implementation.builder("satchel", "1").build())
                        .requestTimeout(settings.callTime().plus(settings.startTime()))
                        .initializationTimeout(settings.startTime())
                        .jsonSchemaValidator(NO_VALIDATION)
                        .progressConsumer(this::progress)
                        .build();
        Session opened = new Session(open, transport, client, lost);
        boolean succeeded = false;
        try {
            await(opened, client.initialize(), settings.startTime());
            succeeded = true;
            return opened;
        } finally {
            if (!succeeded) {
                close(opened);
            }
        }
    }

    private OpenTransport open(@Nullable HttpVariant variant, CompletableFuture<Object> lost)
            throws McpServerException, InterruptedException {
        try {
            return variant == null
                    ? transports.start(
                            server,
                            reason -> lost.completeExceptionally(new McpServerException(reason)))
                    : transports.connect(server, variant);
        } catch (IOException e) {
            throw new McpServerException(McpServerException.words(e));
        }
    }

    /** The first tools of the server. A connection that breaks off is opened again. */
    ListedTools tools(int most) throws McpServerException, InterruptedException {
        while (true) {
            try {
                return listedTools(most);
            } catch (McpServerException e) {
                if (!e.isConnectionBroken() || connects == MAX_CONNECTS) {
                    throw e;
                }
                close();
            }
        }
    }

    /** A server may have an endless list, so its pages, its tools and its time are bounded. */
    private ListedTools listedTools(int most) throws McpServerException, InterruptedException {
        connect();
        toolsChanged = false;
        toolLists.clear();
        Session current = current();
        List<McpSchema.Tool> tools = new ArrayList<>();
        long start = System.nanoTime();
        String cursor = null;
        boolean isWhole = false;
        for (int page = 0; page < MAX_PAGES && tools.size() <= most && !isWhole; page++) {
            Duration left = settings.startTime().minusNanos(System.nanoTime() - start);
            McpSchema.ListToolsResult listed =
                    await(current, current.client().listTools(cursor), settings.startTime(), left);
            tools.addAll(listed.tools());
            cursor = listed.nextCursor();
            isWhole = cursor == null || cursor.isEmpty();
        }
        return new ListedTools(
                List.copyOf(tools), isWhole, toolLists.leftOut(), toolLists.changed());
    }

    /** Calls a tool. After its time, or when interrupted, the call is cancelled. */
    Answered call(String tool, Map<String, Object> arguments, OutputListener output)
            throws McpServerException, InterruptedException {
        connect();
        Session current = current();
        RunningCall call =
                new RunningCall(UUID.randomUUID().toString(), output, new AtomicReference<>());
        running = call;
        McpSchema.CallToolRequest request =
                McpSchema.CallToolRequest.builder(tool)
                        .arguments(arguments)
                        .progressToken(call.token())
                        .build();
        boolean answered = false;
        try {
            McpSchema.CallToolResult result =
                    await(current, current.client().callTool(request), settings.callTime());
            answered = true;
            return new Answered(result, call.asked().get());
        } finally {
            running = null;
            if (!answered) {
                cancelCalls(current);
            }
        }
    }

    McpSchema.ReadResourceResult read(String uri) throws McpServerException, InterruptedException {
        Session current = current();
        return await(
                current,
                current.client().readResource(McpSchema.ReadResourceRequest.builder(uri).build()),
                settings.callTime());
    }

    @Override
    public void close() {
        Session current = session;
        session = null;
        if (current != null) {
            close(current);
        }
    }

    private Session current() throws McpServerException {
        Session current = session;
        if (current == null) {
            throw new McpServerException("it is not connected");
        }
        return current;
    }

    private Mono<McpSchema.ElicitResult> elicitation(McpSchema.ElicitFormRequest request) {
        Elicitation asked =
                new Elicitation(
                        String.valueOf(request.message()),
                        Json.MAPPER.valueToTree(request.requestedSchema()));
        Answer answer = answers.get(asked.message());
        if (answer == null) {
            RunningCall call = running;
            if (call != null) {
                call.asked().compareAndSet(null, asked);
            }
            return Mono.just(McpSchema.ElicitResult.builder(Action.CANCEL).build());
        }
        if (!answer.isAllowed()) {
            return Mono.just(McpSchema.ElicitResult.builder(Action.DECLINE).build());
        }
        Map<String, Object> content = asked.content(String.valueOf(answer.text()));
        return Mono.just(McpSchema.ElicitResult.builder(Action.ACCEPT).content(content).build());
    }

    private Mono<Void> progress(McpSchema.ProgressNotification progress) {
        RunningCall call = running;
        if (call != null && call.token().equals(progress.progressToken())) {
            byte[] line = (ProgressText.of(progress) + "\n").getBytes(StandardCharsets.UTF_8);
            call.output().output(Output.Stream.STDOUT, line, line.length);
        }
        return Mono.empty();
    }

    /** Waits for an answer, for the end of the connection or for the end of the time. */
    private <T> T await(Session current, Mono<T> answer, Duration time)
            throws McpServerException, InterruptedException {
        return await(current, answer, time, time);
    }

    /** {@code left} is what is left of the time. */
    private <T> T await(Session current, Mono<T> answer, Duration time, Duration left)
            throws McpServerException, InterruptedException {
        CompletableFuture<T> future = answer.toFuture();
        try {
            CompletableFuture.anyOf(future, current.lost())
                    .get(left.toMillis(), TimeUnit.MILLISECONDS);
            return future.get();
        } catch (TimeoutException _) {
            throw new McpServerException("it did not answer within " + time.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new McpServerException(
                    current.open().headers().redacted(McpServerException.words(e.getCause())),
                    e.getCause());
        } finally {
            future.cancel(true);
        }
    }

    private static void cancelCalls(Session current) {
        boolean interrupted = Thread.interrupted(); // the server shall hear it also then
        try {
            current.transport()
                    .cancelCalls("the call was cancelled or took too long")
                    .toFuture()
                    .get(CANCEL_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            // the server is lost
        } catch (InterruptedException _) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void close(Session opened) {
        boolean interrupted = Thread.interrupted();
        try {
            opened.client()
                    .closeGracefully()
                    .toFuture()
                    .get(CLOSE_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException _) {
            // its resources are closed below
        } catch (InterruptedException _) {
            interrupted = true;
        } finally {
            opened.open().resources().close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
