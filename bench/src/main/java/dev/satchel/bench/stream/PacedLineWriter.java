package dev.satchel.bench.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Writes lines at a bounded rate, spread evenly over the streams and over time. */
final class PacedLineWriter {
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A stream and how many lines it has had; touched by the pacer's thread alone. */
    private static final class Stream {
        private final SocketChannel connection;
        private long lines;

        Stream(SocketChannel connection) {
            this.connection = connection;
        }
    }

    private final int lineBytes;
    private final long periodNanos;
    private final Map<String, List<Stream>> streams = new ConcurrentHashMap<>();
    private volatile String talking = "";

    PacedLineWriter(int linesPerSecondAndStream, int lineBytes) {
        this.lineBytes = lineBytes;
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / linesPerSecondAndStream;
    }

    void add(String path, SocketChannel connection) {
        streams.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>())
                .add(new Stream(connection));
    }

    /** From now on only the streams of this path get lines. */
    void talkOn(String path) {
        talking = path;
    }

    void run() {
        long due = System.nanoTime();
        for (int next = 0; true; next++) {
            List<Stream> group = streams.getOrDefault(talking, List.of());
            long now = System.nanoTime();
            if (group.isEmpty()) {
                LockSupport.parkNanos(IDLE_NANOS);
                due = now;
                continue;
            }
            due = Math.max(due + periodNanos / group.size(), now - periodNanos);
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            say(group, group.get(next % group.size()));
        }
    }

    private void say(List<Stream> group, Stream stream) {
        stream.lines++;
        long now = System.nanoTime(); // Linux has one such clock for all processes
        String line = padded(stream.lines, TimedLine.name(stream.lines, now));
        String chunk = Integer.toHexString(line.length()) + "\r\n" + line + "\r\n";
        try {
            stream.connection.write(ByteBuffer.wrap(chunk.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            group.remove(stream); // its reader has gone
        }
    }

    private String padded(long number, String name) {
        String step =
                "{\"type\":\"step\",\"id\":\"s%d\",\"name\":\"%s\",\"status\":\"running\"%s}\n";
        String line = step.formatted(number, name, "");
        int missing = lineBytes - line.length() - ",\"args\":\"\"".length();
        return missing <= 0
                ? line
                : step.formatted(number, name, ",\"args\":\"" + "x".repeat(missing) + "\"");
    }
}
