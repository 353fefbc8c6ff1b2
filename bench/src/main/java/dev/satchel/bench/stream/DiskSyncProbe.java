package dev.satchel.bench.stream;

import dev.satchel.bench.report.Samples;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The time of a small durable write: no durable log can be faster. */
final class DiskSyncProbe {
    private static final int WRITES = 200;
    private static final int BYTES = 8 * 1024;

    private final Path file;

    DiskSyncProbe(Path file) {
        this.file = file;
    }

    Samples measure() throws IOException {
        Samples samples = new Samples();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < WRITES; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(BYTES), (long) i * BYTES);
                channel.force(false);
                samples.add(System.nanoTime() - start);
            }
        }
        return samples;
    }
}
