package dev.satchel.server.node;

import dev.satchel.server.testing.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Server processes on one database and one bucket; who is killed comes back with an empty disk. */
final class Fleet implements AutoCloseable {
    private final Path folder;
    private final Map<String, String> environment;
    private final List<ServerProcess> alive = new CopyOnWriteArrayList<>();
    private final AtomicInteger started = new AtomicInteger();

    Fleet(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    void start() throws IOException {
        alive.add(
                ServerProcess.start(
                        folder.resolve("node-" + started.incrementAndGet()), environment));
    }

    /** Any of those that live. */
    URI any(Random random) {
        List<ServerProcess> now = List.copyOf(alive);
        return now.get(random.nextInt(now.size())).url();
    }

    /** Kills one without mercy and starts another in its place. */
    void replace(Random random) throws IOException {
        ServerProcess victim = alive.get(random.nextInt(alive.size()));
        alive.remove(victim); // clients go elsewhere from now on, those in the middle find out
        victim.close();
        start();
    }

    @Override
    public void close() {
        alive.forEach(ServerProcess::close);
    }
}
