package dev.satchel.torture.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A runner as a process of its own, always at the same address. */
public final class RunnerProcess implements AutoCloseable {
    private final Path folder;
    private final Map<String, String> variables;
    private final int port;
    private @Nullable Process process;

    public RunnerProcess(Path folder) throws IOException {
        this(folder, Map.of());
    }

    public RunnerProcess(Path folder, Map<String, String> variables) throws IOException {
        this.folder = folder;
        this.variables = Map.copyOf(variables);
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public Path workspaces() {
        return folder.resolve("runner/workspaces");
    }

    public void start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ServerUnderTest.java());
        command.addAll(List.of("runner", "--port", Integer.toString(port)));
        command.addAll(List.of("--data", folder.resolve("runner").toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("runner.log").toFile()));
        builder.environment().putAll(variables);
        process = builder.start();
        try (TestClient client = new TestClient(url())) {
            FaultTiming.await(() -> client.status("/health") == 200, "the runner does not start");
        }
    }

    public void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
