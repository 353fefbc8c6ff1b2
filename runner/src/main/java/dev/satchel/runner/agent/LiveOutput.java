package dev.satchel.runner.agent;

import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.runner.sandbox.OutputListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a step prints as {@code output} lines while it runs. A line is written when 4 KiB
 * have come together, else not more often than every 50 ms. After a limit only the last line
 * follows, which says how much was left out. A thread of its own writes, so that a slow reader does
 * not slow the command down.
 */
final class LiveOutput implements OutputListener {
    static final int LINE_BYTES = 4 * 1024;
    static final Duration INTERVAL = Duration.ofMillis(50);

    /** Beyond that the streams of one interval are not interleaved further. */
    private static final int MAX_PIECES = 8;

    /** Bytes of one stream that were printed one after the other. */
    private record Piece(Output.Stream stream, ByteArrayOutputStream bytes) {}

    private final String step;
    private final LineWriter lines;
    private final Clock clock;
    private final int maxBytes;
    private final Deque<Piece> pending = new ArrayDeque<>();
    private final Map<Output.Stream, Decoder> decoders = new EnumMap<>(Output.Stream.class);
    private @Nullable Thread writer;
    private @Nullable IOException failure;
    private int pendingBytes;
    private long acceptedBytes;
    private long leftOutBytes;
    private int writtenBytes; // only of the writer, then of the thread that ends it
    private boolean ended;

    LiveOutput(String step, LineWriter lines, Clock clock, int maxBytes) {
        this.step = step;
        this.lines = lines;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    @Override
    public synchronized void output(Output.Stream stream, byte[] bytes, int length) {
        if (ended) {
            return;
        }
        int accepted = (int) Math.min(length, maxBytes - acceptedBytes);
        leftOutBytes += length - accepted;
        if (accepted == 0) {
            return;
        }
        acceptedBytes += accepted;
        pendingBytes += accepted;
        piece(stream).bytes().write(bytes, 0, accepted);
        if (writer == null) {
            writer = Thread.ofVirtual().name("step-output").start(this::write);
        }
        notifyAll();
    }

    /** Writes what is left. Throws what writing a line threw. */
    void finish() throws IOException, InterruptedException {
        Thread started = end(false);
        if (started == null) {
            return;
        }
        try {
            started.join();
        } catch (InterruptedException e) {
            discard();
            throw e;
        }
        if (failure != null) {
            throw failure;
        }
        for (Map.Entry<Output.Stream, Decoder> decoder : decoders.entrySet()) {
            line(decoder.getKey(), decoder.getValue().end());
        }
        if (leftOutBytes > 0) {
            line(Output.Stream.STDOUT, "\n[… " + leftOutBytes + " bytes left out …]\n");
        }
    }

    /** Writes nothing more; returns when the line that is being written is complete. */
    void discard() {
        Thread started = end(true);
        boolean interrupted = false;
        while (started != null && started.isAlive()) {
            try {
                started.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Thread end(boolean dropPending) {
        ended = true;
        if (dropPending) {
            pending.clear();
            pendingBytes = 0;
        }
        notifyAll();
        return writer;
    }

    /** The piece that the next bytes of a stream belong to. */
    private Piece piece(Output.Stream stream) {
        Piece last = pending.peekLast();
        if (last != null && last.stream() == stream) {
            return last;
        }
        if (pending.size() >= MAX_PIECES) {
            for (Piece piece : pending.reversed()) {
                if (piece.stream() == stream) {
                    return piece;
                }
            }
        }
        Piece next = new Piece(stream, new ByteArrayOutputStream());
        pending.addLast(next);
        return next;
    }

    private void write() {
        try {
            long last = System.nanoTime() - INTERVAL.toNanos();
            for (Deque<Piece> due = take(last); !due.isEmpty(); due = take(last)) {
                for (Piece piece : due) {
                    write(piece);
                }
                last = System.nanoTime();
            }
        } catch (IOException e) {
            synchronized (this) {
                failure = e;
                ended = true;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts this thread", e);
        }
    }

    /** Waits until a line is due; empty when the output has ended. */
    private synchronized Deque<Piece> take(long lastNanos) throws InterruptedException {
        while (pending.isEmpty() && !ended) {
            wait();
        }
        long due = lastNanos + INTERVAL.toNanos();
        for (long left = due - System.nanoTime();
                !ended && pendingBytes < LINE_BYTES && left > 0;
                left = due - System.nanoTime()) {
            wait(Math.ceilDiv(left, 1_000_000));
        }
        Deque<Piece> taken = new ArrayDeque<>(pending);
        pending.clear();
        pendingBytes = 0;
        return taken;
    }

    private void write(Piece piece) throws IOException {
        byte[] bytes = piece.bytes().toByteArray();
        Decoder decoder = decoders.computeIfAbsent(piece.stream(), _ -> new Decoder());
        for (int from = 0; from < bytes.length; from += LINE_BYTES) {
            int length = Math.min(LINE_BYTES, bytes.length - from);
            String text = decoder.decode(bytes, from, length);
            int size = text.getBytes(StandardCharsets.UTF_8).length;
            if (writtenBytes + size > maxBytes) { // bytes that are no UTF-8 become longer
                synchronized (this) {
                    leftOutBytes += length;
                }
            } else {
                writtenBytes += size;
                line(piece.stream(), text);
            }
        }
    }

    private void line(Output.Stream stream, String text) throws IOException {
        if (!text.isEmpty()) {
            lines.write(new Output(step, stream, text, clock.millis()));
        }
    }

    /** Decodes UTF-8 in pieces; the beginning of a character waits for its end. */
    private static final class Decoder {
        private static final int LONGEST_CHARACTER = 4;

        private final CharsetDecoder decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private byte[] begun = new byte[0];

        String decode(byte[] bytes, int from, int length) {
            ByteBuffer in = ByteBuffer.allocate(begun.length + length);
            in.put(begun).put(bytes, from, length).flip();
            CharBuffer out = CharBuffer.allocate(in.remaining() + LONGEST_CHARACTER);
            decoder.decode(in, out, false);
            begun = new byte[in.remaining()];
            in.get(begun);
            return out.flip().toString();
        }

        /** A character that was never completed. */
        String end() {
            return new String(begun, StandardCharsets.UTF_8);
        }
    }
}
