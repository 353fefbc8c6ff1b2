package dev.satchel.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Output.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveOutputTest {
    private static final int MAX_BYTES = LoopSettings.DEFAULT.stepOutputBytes();

    private final BlockingQueue<SandboxLine> lines = new LinkedBlockingQueue<>();
    private final LiveOutput live =
            new LiveOutput("step_1", lines::add, Clock.systemUTC(), MAX_BYTES);

    private void print(Stream stream, String text) {
        print(stream, text.getBytes(StandardCharsets.UTF_8));
    }

    private void print(Stream stream, byte[] bytes) {
        live.output(stream, bytes, bytes.length);
    }

    private List<Output> written() {
        return lines.stream().map(Output.class::cast).toList();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        written().forEach(line -> text.append(line.text()));
        return text.toString();
    }

    @Test
    void lineIsWrittenWhileTheCommandRuns() throws Exception {
        print(Stream.STDOUT, "first\n");
        Output first = (Output) lines.take();
        assertThat(first.id()).isEqualTo("step_1");
        assertThat(first.text()).isEqualTo("first\n");
        print(Stream.STDOUT, "second\n"); // after nothing for a while, and before the end
        assertThat(((Output) lines.take()).text()).isEqualTo("second\n");
        live.finish();
        assertThat(lines).isEmpty();
    }

    @Test
    void manySmallWritesAreFewLines() throws Exception {
        long begin = System.nanoTime();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            print(Stream.STDOUT, "x");
        }
        live.finish();
        long intervals = (System.nanoTime() - begin) / LiveOutput.INTERVAL.toNanos();
        assertThat(text()).hasSize(count);
        assertThat(lines.size() - 2L)
                .isLessThanOrEqualTo(intervals + 2L * count / LiveOutput.LINE_BYTES);
    }

    @Test
    void largeOutputIsCutIntoLinesOfFourKib() throws Exception {
        print(Stream.STDOUT, "y\n".repeat(50_000));
        live.finish();
        assertThat(text()).isEqualTo("y\n".repeat(50_000));
        assertThat(written())
                .allSatisfy(
                        line ->
                                assertThat(line.text())
                                        .hasSizeLessThanOrEqualTo(LiveOutput.LINE_BYTES));
    }

    @Test
    void floodEndsWithOneLineThatCountsTheRest() throws Exception {
        byte[] chunk = "y\n".repeat(8_000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 1_000; i++) {
            print(Stream.STDOUT, chunk);
        }
        live.finish();
        long leftOut = 16_000_000L - MAX_BYTES;
        assertThat(written().getLast().text()).contains(leftOut + " bytes left out");
        assertThat(written().stream().filter(line -> line.text().contains("left out"))).hasSize(1);
        assertThat(text().length()).isLessThan(MAX_BYTES + 100);
    }

    @Test
    void characterIsNeverSplit() throws Exception {
        byte[] bytes = "aé€😀".repeat(3_000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i += 7) {
            print(Stream.STDOUT, Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + 7)));
        }
        live.finish();
        assertThat(text()).isEqualTo("aé€😀".repeat(3_000));
        assertThat(written()).noneMatch(line -> line.text().contains("\ufffd"));
    }

    @Test
    void characterThatNeverEndsIsReplaced() throws Exception {
        print(Stream.STDOUT, new byte[] {'a', (byte) 0xe2, (byte) 0x82});
        live.finish();
        assertThat(text()).isEqualTo("a\ufffd");
    }

    @Test
    void binaryOutputIsBoundedAsText() throws Exception {
        byte[] bytes = new byte[MAX_BYTES];
        Arrays.fill(bytes, (byte) 0xff);
        print(Stream.STDOUT, bytes);
        live.finish();
        assertThat(written().getLast().text()).contains("bytes left out");
        assertThat(text().getBytes(StandardCharsets.UTF_8).length).isLessThan(MAX_BYTES + 100);
    }

    @Test
    void streamsKeepTheirOrder() throws Exception {
        print(Stream.STDOUT, "one ");
        print(Stream.STDERR, "two ");
        print(Stream.STDOUT, "three");
        live.finish();
        assertThat(text()).isEqualTo("one two three");
        assertThat(written())
                .filteredOn(line -> line.stream() == Stream.STDERR)
                .extracting(Output::text)
                .containsExactly("two ");
    }

    @Test
    void streamsThatAlternateOftenAreFewLines() throws Exception {
        StringBuilder errors = new StringBuilder();
        for (int i = 0; i < 4_000; i++) {
            print(Stream.STDOUT, "o");
            print(Stream.STDERR, i + ",");
            errors.append(i).append(',');
        }
        live.finish();
        assertThat(lines.size()).isLessThan(2_000);
        StringBuilder written = new StringBuilder();
        written().stream()
                .filter(line -> line.stream() == Stream.STDERR)
                .forEach(line -> written.append(line.text()));
        assertThat(written.toString()).isEqualTo(errors.toString());
    }

    @Test
    void slowReaderDoesNotStopTheCommand() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        List<SandboxLine> slow = new ArrayList<>();
        LiveOutput output =
                new LiveOutput(
                        "step_1",
                        line -> {
                            awaitQuietly(reads);
                            slow.add(line);
                        },
                        Clock.systemUTC(),
                        MAX_BYTES);
        byte[] chunk = new byte[100_000];
        for (int i = 0; i < 100; i++) {
            output.output(Stream.STDOUT, chunk, chunk.length); // would block here
        }
        reads.countDown();
        output.finish();
        assertThat(slow).isNotEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void failureToWriteIsThrownAtTheEnd() {
        LiveOutput gone =
                new LiveOutput(
                        "step_1",
                        _ -> {
                            throw new IOException("gone");
                        },
                        Clock.systemUTC(),
                        MAX_BYTES);
        gone.output(Stream.STDOUT, new byte[10], 10);
        assertThatThrownBy(gone::finish).hasMessage("gone");
    }

    @Test
    void nothingIsWrittenAfterItIsDiscarded() {
        live.discard();
        print(Stream.STDOUT, "late");
        assertThat(lines).isEmpty();
    }
}
