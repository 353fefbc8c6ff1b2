package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.ToolSource;
import dev.satchel.tools.Tool;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The MCP servers of one run and their tools. A server that fails brings no tools; the others go
 * on. For the thread of the loop. Closing it ends all connections and programs.
 */
public final class McpServers implements ToolSource, AutoCloseable {
    private static final int MAX_TOOL_NAME = 128;
    private static final int MAX_DESCRIPTION = 8_000;
    private static final int MAX_SCHEMA = 64 * 1024;

    /** Receives what happened with the servers. */
    public interface Listener {
        /** A diagnostic for the trace of the run. */
        void log(LogLevel level, String message) throws IOException;

        /** A server brings no tools. */
        void failed(String server, McpServer configuration, String message) throws IOException;
    }

    private final McpSettings settings;
    private final Listener listener;
    private final List<McpConnection> connections = new ArrayList<>();
    private final Map<String, List<Tool<ToolContext>>> tools = new LinkedHashMap<>();
    private List<Tool<ToolContext>> offered = List.of();
    private boolean started;

    /** {@code canAsk} when a person can answer what a server asks. */
    public McpServers(
            Map<String, McpServer> servers,
            McpTransportFactory transports,
            McpSettings settings,
            boolean canAsk,
            Listener listener) {
        this.settings = settings;
        this.listener = listener;
        new TreeMap<>(servers)
                .forEach(
                        (name, server) ->
                                connections.add(
                                        new McpConnection(
                                                name, server, transports, settings, canAsk)));
    }

    /** The tools of all servers. The first call starts them, all at the same time. */
    @Override
    public List<Tool<ToolContext>> tools() throws IOException, InterruptedException {
        List<McpConnection> changed =
                started
                        ? connections.stream().filter(McpConnection::haveToolsChanged).toList()
                        : List.copyOf(connections);
        if (!changed.isEmpty()) {
            started = true;
            list(changed);
            offered = offered();
        }
        return offered;
    }

    @Override
    public void close() {
        connections.forEach(McpConnection::close);
    }

    /** What a server has, or why it has nothing. */
    private record Listed(List<McpSchema.Tool> tools, @Nullable String problem, long millis) {}

    private void list(List<McpConnection> wanted) throws IOException, InterruptedException {
        List<Callable<Listed>> tasks = new ArrayList<>();
        wanted.forEach(connection -> tasks.add(() -> listed(connection)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Listed>> all = threads.invokeAll(tasks);
            for (int i = 0; i < all.size(); i++) {
                take(wanted.get(i), all.get(i).get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException interrupt) {
                throw interrupt;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Listed listed(McpConnection connection) throws InterruptedException {
        long start = System.nanoTime();
        try {
            return new Listed(connection.tools(settings.maxTools() + 1), null, millis(start));
        } catch (McpServerException e) {
            return new Listed(List.of(), e.message(), millis(start));
        }
    }

    private static long millis(long startNanos) {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    private void take(McpConnection connection, Listed listed) throws IOException {
        String name = connection.name();
        if (listed.problem() != null) {
            tools.remove(name);
            listener.failed(
                    name,
                    connection.server(),
                    "The MCP server " + name + " brings no tools: " + listed.problem() + ".");
            return;
        }
        Map<String, Tool<ToolContext>> valid = new LinkedHashMap<>();
        int refused = 0;
        for (McpSchema.Tool tool : listed.tools()) {
            McpServerTool made = made(connection, tool);
            if (made == null || valid.putIfAbsent(tool.name(), made) != null) {
                refused++;
            }
        }
        tools.put(name, List.copyOf(valid.values()));
        listener.log(
                refused == 0 ? LogLevel.INFO : LogLevel.WARN,
                "mcp server=%s tools=%d invalid=%d durationMs=%d"
                        .formatted(name, valid.size(), refused, listed.millis()));
    }

    /** Null for a tool without a usable name or schema. */
    private static @Nullable McpServerTool made(McpConnection connection, McpSchema.Tool tool) {
        String name = tool.name();
        if (name == null || !name.matches("[\\p{Graph}]{1," + MAX_TOOL_NAME + "}")) {
            return null;
        }
        Map<String, Object> given = tool.inputSchema() == null ? Map.of() : tool.inputSchema();
        String schema = Json.MAPPER.writeValueAsString(given);
        if (schema.length() > MAX_SCHEMA) {
            return null;
        }
        String description = tool.description() == null ? "" : tool.description();
        String cut = description.substring(0, Math.min(description.length(), MAX_DESCRIPTION));
        return new McpServerTool(connection, name, cut, schema);
    }

    private List<Tool<ToolContext>> offered() throws IOException {
        List<Tool<ToolContext>> all = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (McpConnection connection : connections) {
            for (Tool<ToolContext> tool : tools.getOrDefault(connection.name(), List.of())) {
                if (all.size() < settings.maxTools()) {
                    all.add(tool);
                } else {
                    leftOut.add(tool.description().name());
                }
            }
        }
        if (!leftOut.isEmpty()) {
            listener.log(
                    LogLevel.WARN,
                    "mcp tools left out, because a run may have %d (SATCHEL_MCP_TOOLS): %s"
                            .formatted(settings.maxTools(), String.join(", ", leftOut)));
        }
        return List.copyOf(all);
    }
}
