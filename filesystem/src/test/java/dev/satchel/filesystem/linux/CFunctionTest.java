package dev.satchel.filesystem.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CFunctionTest {
    private static final int NO_SUCH_FILE = 2;
    private static final int BAD_DESCRIPTOR = 9;

    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction PREAD = CFunction.named("pread64");
    private static final CFunction CLOSE = CFunction.named("close");

    @Test
    void whatAFunctionReturnsComesBack() {
        assertThat(CFunction.named("getpid").value())
                .isEqualTo((int) ProcessHandle.current().pid());
    }

    @Test
    void aFailureIsTheNegativeErrno() {
        try (Arena arena = Arena.ofConfined()) {
            long nowhere = arena.allocateFrom("/no/such/file").address();
            assertThat(OPEN.call(nowhere, 0)).isEqualTo(-NO_SUCH_FILE);
            assertThat(CLOSE.call(-1)).isEqualTo(-BAD_DESCRIPTOR);
        }
    }

    @Test
    void numbersOfBothSizesAndAddressesArrive(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "0123456789");
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = OPEN.call(arena.allocateFrom(file.toString()).address(), 0);
            MemorySegment buffer = arena.allocate(4);
            MemorySegment errno = CFunction.errnoIn(arena);

            int read = PREAD.call(errno, descriptor, buffer.address(), 4, 3, 0, 0);

            assertThat(read).isEqualTo(4);
            assertThat(new String(buffer.toArray(JAVA_BYTE), UTF_8)).isEqualTo("3456");
            assertThat(PREAD.call(descriptor, buffer.address(), 4, 5L << 32)).isZero();
            assertThat(CLOSE.call(descriptor)).isZero();
        }
    }

    @Test
    void aFunctionThatIsNotThereIsToldAtOnce() {
        assertThatThrownBy(() -> CFunction.named("no_such_function"))
                .isInstanceOf(NoSuchElementException.class);
    }
}
