package dev.satchel.bench.process;

import dev.satchel.bench.BenchmarkEnvironment;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The whole server with empty folders, as {@code ./satchel serve} starts it. */
public final class ServerProcess implements AutoCloseable {
    public static final String KEY = "sk_satchel_key_of_the_benchmark";

    private final ChildProcess process;

    private final Path data;

    private ServerProcess(ChildProcess process, Path data) {
        this.process = process;
        this.data = data;
    }

    public static ServerProcess start(BenchmarkEnvironment place, Map<String, String> variables)
            throws IOException {
        return start(place, variables, place.fresh("server").resolve("data"));
    }

    /** With a folder that may have data of an earlier server. */
    public static ServerProcess start(
            BenchmarkEnvironment place, Map<String, String> variables, Path data)
            throws IOException {
        List<String> command = new ArrayList<>(place.satchel());
        command.addAll(List.of("serve", "--port", "0", "--data", data.toString()));
        Map<String, String> all = new HashMap<>(variables);
        all.put("SATCHEL_API_KEY", KEY);
        all.putIfAbsent("SATCHEL_REQUESTS_PER_SECOND", "0"); // limits are not what is measured
        return new ServerProcess(
                ChildProcess.start(
                        command, all, "Satchel listens on ", data.resolveSibling("server.log")),
                data);
    }

    public URI url() {
        return URI.create(process.ready());
    }

    /** A conversation's live workspace, to be filled by hand. */
    public Path workspace(String chat) throws IOException {
        return Files.createDirectories(data.resolve("runner/workspaces").resolve(chat));
    }

    public ProcessMemory memory() throws IOException {
        return process.memory();
    }

    public Duration cpu() {
        return process.cpu();
    }

    /** The processor time of all processes that it has started and that have ended. */
    public Duration cpuOfEndedChildren() throws IOException {
        return process.cpuOfEndedChildren();
    }

    /** The bytes that it has had written to disks so far. */
    public long writtenBytes() throws IOException {
        return process.writtenBytes();
    }

    /** At once: a stop would first give its streams a moment to end. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
