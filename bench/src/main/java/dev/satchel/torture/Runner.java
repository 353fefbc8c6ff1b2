package dev.satchel.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A runner as a process of its own, always at the same address. */
final class Runner implements AutoCloseable {
    private final Path folder;
    private final int port;
    private @Nullable Process process;

    Runner(Path folder) throws IOException {
        this.folder = folder;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Path workspaces() {
        return folder.resolve("runner/workspaces");
    }

    void start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Machine.java());
        command.addAll(List.of("runner", "--port", Integer.toString(port)));
        command.addAll(List.of("--data", folder.resolve("runner").toString()));
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve("runner.log").toFile()))
                        .start();
        try (Client client = new Client(url())) {
            Moments.await(() -> client.status("/health") == 200, "the runner does not start");
        }
    }

    void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
