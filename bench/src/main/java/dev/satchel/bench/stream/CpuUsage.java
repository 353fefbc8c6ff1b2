package dev.satchel.bench.stream;

import dev.satchel.bench.process.ChildProcess;
import dev.satchel.bench.process.ServerProcess;
import java.time.Duration;
import java.util.Locale;

/** CPU time of server, source and readers, which share the machine. */
final class CpuUsage {
    private record Used(Duration wall, Duration server, Duration source, Duration readers) {
        Used plus(Used other) {
            return new Used(
                    wall.plus(other.wall),
                    server.plus(other.server),
                    source.plus(other.source),
                    readers.plus(other.readers));
        }

        Used minus(Used other) {
            return new Used(
                    wall.minus(other.wall),
                    server.minus(other.server),
                    source.minus(other.source),
                    readers.minus(other.readers));
        }

        int percent(Duration part) {
            return Math.toIntExact(100 * part.toMillis() / Math.max(1, wall.toMillis()));
        }
    }

    private final ServerProcess server;
    private final ChildProcess source;
    private Used start;
    private Used total = new Used(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    CpuUsage(ServerProcess server, ChildProcess source) {
        this.server = server;
        this.source = source;
        this.start = now();
    }

    void start() {
        start = now();
    }

    void stop() {
        total = total.plus(now().minus(start));
    }

    String show() {
        return String.format(
                Locale.ROOT,
                "of one core the server used %d %%, the source %d %%, the readers %d %%",
                total.percent(total.server()),
                total.percent(total.source()),
                total.percent(total.readers()));
    }

    private Used now() {
        return new Used(
                Duration.ofNanos(System.nanoTime()),
                server.cpu(),
                source.cpu(),
                ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }
}
