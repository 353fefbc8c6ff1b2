package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.runner.mcp.McpConnection.ListedTools;
import dev.satchel.runner.mcp.ToolListReader.Remark;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.ToolSource;
import dev.satchel.tools.Tool;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    /** How many tools one line of the trace names. */
    private static final int MAX_NAMED = 20;

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
    private final Set<String> unfinished = new TreeSet<>();
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
    private record Listed(@Nullable ListedTools tools, String problem, long millis) {}

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
            return new Listed(connection.tools(settings.maxTools()), "", millis(start));
        } catch (McpServerException e) {
            return new Listed(null, e.message(), millis(start));
        }
    }

    private static long millis(long startNanos) {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    private void take(McpConnection connection, Listed listed) throws IOException {
        String name = connection.name();
        unfinished.remove(name);
        ListedTools found = listed.tools();
        if (found == null) {
            tools.remove(name);
            listener.failed(
                    name,
                    connection.server(),
                    "The MCP server " + name + " brings no tools: " + listed.problem() + ".");
            return;
        }
        Map<String, Tool<ToolContext>> valid = new LinkedHashMap<>();
        List<Remark> leftOut = new ArrayList<>(found.leftOut());
        for (McpSchema.Tool tool : found.tools()) {
            Tool<ToolContext> made = made(connection, tool);
            if (valid.putIfAbsent(tool.name(), made) != null) {
                leftOut.add(new Remark(tool.name(), "the server has two of this name"));
            }
        }
        tools.put(name, List.copyOf(valid.values()));
        if (!found.isWhole()) {
            unfinished.add(name);
        }
        listener.log(
                leftOut.isEmpty() ? LogLevel.INFO : LogLevel.WARN,
                "mcp server=%s tools=%d invalid=%d durationMs=%d"
                        .formatted(name, valid.size(), leftOut.size(), listed.millis()));
        warn("mcp server=" + name + " tools left out: ", leftOut);
        warn("mcp server=" + name + " tools shortened: ", found.changed());
    }

    private void warn(String words, List<Remark> remarks) throws IOException {
        if (!remarks.isEmpty()) {
            List<String> named = remarks.stream().map(Remark::toString).toList();
            listener.log(LogLevel.WARN, words + joined(named));
        }
    }

    private static McpServerTool made(McpConnection connection, McpSchema.Tool tool) {
        return new McpServerTool(
                connection,
                tool.name(),
                tool.description(),
                Json.MAPPER.writeValueAsString(tool.inputSchema()));
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
                            .formatted(settings.maxTools(), joined(leftOut)));
        }
        if (!unfinished.isEmpty()) {
            listener.log(
                    LogLevel.WARN,
                    "mcp lists of tools are longer and were not read to their ends, servers: "
                            + String.join(", ", unfinished));
        }
        return List.copyOf(all);
    }

    private static String joined(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), MAX_NAMED)));
        return names.size() <= MAX_NAMED
                ? first
                : first + " and " + (names.size() - MAX_NAMED) + " more";
    }
}
