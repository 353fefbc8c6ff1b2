package dev.satchel.runner.sandbox.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.OpenSandboxes;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletedFilesTest {
    private static final int BYTES = 1_000_000;

    @TempDir Path directory;

    @Test
    void aDeletedFileCountsWhileItIsOpen() throws IOException {
        long before = measure();
        try (FileChannel file = create()) {
            assertThat(measure()).isEqualTo(before);
            Files.delete(directory.resolve("file"));
            assertThat(measure() - before).isBetween((long) BYTES, 2L * BYTES);
            assertThat(file.size()).isEqualTo(BYTES);
        }
        assertThat(measure()).isEqualTo(before);
    }

    @Test
    void aDeletedFileCountsWhileItIsMapped() throws IOException {
        OpenSandboxes.assumeRoot();
        long before = measure();
        MappedByteBuffer mapped;
        try (FileChannel file = create()) {
            mapped = file.map(MapMode.READ_ONLY, 0, BYTES);
        }
        Files.delete(directory.resolve("file"));

        assertThat(measure() - before).isBetween((long) BYTES, 2L * BYTES);
        assertThat(mapped.get(0)).isEqualTo((byte) 1);
    }

    @Test
    void filesOfOtherFileSystemsDoNotCount() throws IOException {
        try (FileChannel file = create()) {
            Files.delete(directory.resolve("file"));
            long elsewhere = DeletedFiles.bytes(processes(), List.of(Path.of("/proc")));
            assertThat(elsewhere).isZero();
            assertThat(file.size()).isEqualTo(BYTES);
        }
    }

    private FileChannel create() throws IOException {
        Path path = directory.resolve("file");
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) 1);
        Files.write(path, content);
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    private long measure() {
        return DeletedFiles.bytes(processes(), List.of(directory));
    }

    private static List<Long> processes() {
        return List.of(ProcessHandle.current().pid());
    }
}
