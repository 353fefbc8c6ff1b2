package dev.satchel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NdjsonReaderTest {
    @Test
    void linesEndAtANewlineWithOrWithoutACarriageReturn() throws IOException {
        assertThat(read("a\nb\r\nc\n")).containsExactly("a", "b", "c");
    }

    @Test
    void blankLinesAreNoLines() throws IOException {
        assertThat(read("\n\r\n  \t\na\n\n\nb\n\n")).containsExactly("a", "b");
    }

    @Test
    void theLastLineNeedsNoNewline() throws IOException {
        assertThat(read("a\nb")).containsExactly("a", "b");
        assertThat(read("")).isEmpty();
    }

    @Test
    void onlyALineFeedSplits() throws IOException {
        assertThat(read("a\rb\u2028c\u0085d\u000be\n"))
                .containsExactly("a\rb\u2028c\u0085d\u000be");
    }

    @Test
    void aCharacterSplitBetweenReadsIsComplete() throws IOException {
        String text = "{\"é\":\"世界👋\"}\r\n{\"ü\":1}\n";
        byte[] bytes = text.getBytes(UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            byte[] head = Arrays.copyOfRange(bytes, 0, cut);
            byte[] tail = Arrays.copyOfRange(bytes, cut, bytes.length);
            assertThat(read(chunks(head, tail), 1000))
                    .as("cut at %d", cut)
                    .containsExactly("{\"é\":\"世界👋\"}", "{\"ü\":1}");
        }
    }

    @Test
    void oneByteAtATimeIsEnough() throws IOException {
        byte[] bytes = "é\n世\n".getBytes(UTF_8);
        byte[][] single = new byte[bytes.length][];
        for (int i = 0; i < bytes.length; i++) {
            single[i] = new byte[] {bytes[i]};
        }
        assertThat(read(chunks(single), 1000)).containsExactly("é", "世");
    }

    @Test
    void aLineOfExactlyTheLimitIsReadAndALongerOneIsRefused() throws IOException {
        assertThat(read(stream("x".repeat(100) + "\ny\n"), 100)).hasSize(2);
        assertThatThrownBy(() -> read(stream("x".repeat(101) + "\n"), 100))
                .isInstanceOf(LineTooLongException.class)
                .hasMessage("a line is longer than 100 bytes");
        assertThatThrownBy(() -> read(stream("x".repeat(50_000)), 40_000))
                .isInstanceOf(LineTooLongException.class);
    }

    @Test
    void anEndlessLineIsRefusedBeforeItFillsTheMemory() {
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        assertThatThrownBy(() -> read(endless, 1_000_000)).isInstanceOf(LineTooLongException.class);
    }

    @Test
    void aLongLineAcrossManyBuffersIsOne() throws IOException {
        String line = "世".repeat(30_000);

        assertThat(read(stream(line + "\nend"), 100_000)).containsExactly(line, "end");
    }

    private static List<String> read(String text) throws IOException {
        return read(stream(text), 1000);
    }

    private static List<String> read(InputStream in, int limit) throws IOException {
        List<String> lines = new ArrayList<>();
        try (NdjsonReader reader = new NdjsonReader(in, limit)) {
            for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
                lines.add(new String(next.get(), UTF_8));
            }
        }
        return lines;
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    /** Gives one chunk per read, as a socket would. */
    private static InputStream chunks(byte[]... chunks) {
        return new InputStream() {
            private int next;

            @Override
            public int read() {
                throw new UnsupportedOperationException("the reader reads into a buffer");
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                while (next < chunks.length && chunks[next].length == 0) {
                    next++;
                }
                if (next == chunks.length) {
                    return -1;
                }
                byte[] chunk = chunks[next++];
                System.arraycopy(chunk, 0, target, offset, chunk.length);
                return chunk.length;
            }
        };
    }
}
