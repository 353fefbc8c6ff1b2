package dev.satchel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a runner sends: it is cut alike however it arrives, and a line is one or is refused. */
class NdjsonFuzzTest {
    private static final int MAX_LINE = 200;

    static Stream<byte[]> seeds() {
        return Stream.of(
                        """
                        {"type":"log","level":"info","message":"hello","ts":1}
                        {"type":"step","id":"s1","name":"bash","status":"running","args":{"a":[1,2.5,null]}}
                        """,
                        "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"b\",\"status\":\"failed\",\"error\":\"e\",\"durationMs\":3}\r\n\r\n",
                        "{\"type\":\"delta\",\"text\":\"\\ud83d\\ude00\"}\n"
                                + "{\"type\":\"result\",\"message\":\"\"}",
                        "{\"type\":\"error\",\"code\":\"x\",\"message\":\"y\",\"ts\":9223372036854775808}\n"
                                + "[]\n",
                        """
                        {"type":"thinking","text":"hm","ts":1}
                        {"type":"output","id":"s1","stream":"stderr","text":"x","later":[{}]}
                        {"type":"usage","model":"m","provider":"p","inputTokens":1,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4}
                        {"type":"retry","attempt":1,"delayMs":8000,"code":"429","message":"busy"}
                        {"type":"resumed","attempt":2}
                        {"type":"journal","n":1,"entry":"e","more":true}
                        {"type":"result","message":"m","stopped":"max_tokens"}
                        {"type":"step","id":"s1","name":"b","status":"paused"}
                        """)
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyStreamIsCutAndEveryLineReadOrRefused(byte[] stream) throws IOException {
        List<byte[]> whole = lines(new ByteArrayInputStream(stream));
        assertThat(lines(new OneByOne(stream))).containsExactlyElementsOf(whole);
        for (byte[] line : whole) {
            requireLineOrRefusal(line);
        }
    }

    /** What was read can be written with what is unknown of it, and reads as the same. */
    private static void requireLineOrRefusal(byte[] line) {
        ReceivedLine read;
        try {
            read = LineParser.receive(line);
        } catch (MalformedLineException e) {
            return;
        }
        ObjectNode written = read.unknown().deepCopy();
        written.setAll((ObjectNode) Json.MAPPER.valueToTree(read.line()));
        try {
            assertThat(LineParser.receive(Json.MAPPER.writeValueAsBytes(written))).isEqualTo(read);
        } catch (MalformedLineException e) {
            throw new AssertionError("what we wrote ourselves does not read", e);
        }
    }

    /** Up to the first line that is too long, if there is one. */
    private static List<byte[]> lines(InputStream stream) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        try (NdjsonReader reader = new NdjsonReader(stream, MAX_LINE)) {
            for (Optional<byte[]> line = reader.next(); line.isPresent(); line = reader.next()) {
                assertThat(line.get()).hasSizeBetween(1, MAX_LINE);
                lines.add(line.get());
            }
        } catch (LineTooLongException e) {
            lines.add(new byte[0]); // both ways of arriving must stop here
        }
        return lines;
    }

    /** A network at its worst. */
    private static final class OneByOne extends ByteArrayInputStream {
        OneByOne(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1));
        }
    }
}
