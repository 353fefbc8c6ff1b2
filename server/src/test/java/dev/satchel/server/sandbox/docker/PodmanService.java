package dev.satchel.server.sandbox.docker;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A podman with its own storage that serves the Docker Engine API on a socket. */
public final class PodmanService {
    /** As it works on any kernel and without a service manager. */
    private static final String CONFIGURATION =
            """
            [containers]
            default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]
            [engine]
            runtime = "runc"
            cgroup_manager = "cgroupfs"
            events_logger = "none"
            """;

    private final Path folder;
    private final Process service;

    private PodmanService(Path folder, Process service) {
        this.folder = folder;
        this.service = service;
    }

    public static PodmanService start(Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("containers.conf"), CONFIGURATION);
        Process process =
                podman(
                                folder,
                                "system",
                                "service",
                                "--time=0",
                                "unix://" + folder.resolve("socket"))
                        .redirectOutput(folder.resolve("service.log").toFile())
                        .start();
        PodmanService service = new PodmanService(folder, process);
        service.awaitSocket();
        return service;
    }

    public Path socket() {
        return folder.resolve("socket");
    }

    /** Calls podman itself, as a person would; returns what it output. */
    public String call(String... arguments) throws IOException, InterruptedException {
        Process process = podman(folder, arguments).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("podman " + String.join(" ", arguments) + ": " + output);
        }
        return output;
    }

    /** The names of all containers, running or not. */
    public List<String> containers() throws IOException, InterruptedException {
        return call("ps", "--all", "--format", "{{.Names}}").lines().toList();
    }

    /** Takes everything of it away again. */
    public void stop() throws IOException, InterruptedException {
        try {
            call("rm", "--all", "--force", "--time=0");
            call("rmi", "--all", "--force");
        } finally {
            service.destroy();
            if (!service.waitFor(20, TimeUnit.SECONDS)) {
                service.destroyForcibly().waitFor();
            }
        }
    }

    /** Inside a container there is no overlay over an overlay. */
    private static String driver(Path folder) throws IOException {
        return Files.getFileStore(folder).type().equals("overlay") ? "vfs" : "overlay";
    }

    private static ProcessBuilder podman(Path folder, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "podman",
                                "--root=" + folder.resolve("root"),
                                "--runroot=" + folder.resolve("run"),
                                "--storage-driver=" + driver(folder)));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CONTAINERS_CONF", folder.resolve("containers.conf").toString());
        return builder;
    }

    private void awaitSocket() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline || !service.isAlive()) {
                    throw new IOException(Files.readString(folder.resolve("service.log")), e);
                }
                Thread.onSpinWait();
            }
        }
    }
}
