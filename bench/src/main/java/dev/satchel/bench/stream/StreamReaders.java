package dev.satchel.bench.stream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;

/**
 * Readers of many streams on one thread and a selector, so that they take little of the machine
 * they share with what they measure. What they cost themselves is measured beside it.
 */
final class StreamReaders implements AutoCloseable {
    private static final int OPENING_AT_ONCE = 20;
    private static final int PATIENCE_SECONDS = 60;

    private final LineArrivals arrivals = new LineArrivals();
    private final Semaphore opening = new Semaphore(OPENING_AT_ONCE);
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private final Selector selector;
    private final Thread thread;
    private final AtomicInteger answered = new AtomicInteger();
    private int opened;

    StreamReaders() throws IOException {
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().daemon().name("readers").start(this::readAll);
    }

    LineArrivals arrivals() {
        return arrivals;
    }

    /** How many streams have received data and not ended. */
    int answered() {
        return answered.get();
    }

    /** Opens streams, a few at a time, and returns when all of them have been answered. */
    void open(int count, int port, String request) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            permit(1);
            open(port, request);
        }
        permit(OPENING_AT_ONCE);
        opening.release(OPENING_AT_ONCE);
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    private void permit(int count) throws IOException, InterruptedException {
        if (!opening.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("streams are not answered, %d were opened".formatted(opened));
        }
    }

    private void open(int port, String request) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Reader(opened++));
        selector.wakeup();
    }

    private void readAll() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                selector.select(this::read);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void read(SelectionKey key) {
        buffer.clear();
        try {
            int count = ((SocketChannel) key.channel()).read(buffer);
            long now = System.nanoTime();
            if (count < 0) {
                answered.decrementAndGet(); // counted as a stream without data
                end(key);
                return;
            }
            ((Reader) key.attachment())
                    .take(new String(buffer.array(), 0, count, StandardCharsets.UTF_8), now);
        } catch (IOException e) {
            end(key);
        }
    }

    /** A descriptor left open makes every program that is started later start more slowly. */
    private static void end(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            key.cancel();
        }
    }

    /** One stream: what it has had of a line that is not whole yet, and its last number. */
    private final class Reader {
        private final int number;
        private String rest = "";
        private boolean heard;
        private long last;

        Reader(int number) {
            this.number = number;
        }

        void take(String text, long now) {
            if (!heard) {
                heard = true;
                answered.incrementAndGet();
                opening.release();
                if (!text.startsWith("HTTP/1.1 200 ")) {
                    throw new IllegalStateException("refused: " + text);
                }
            }
            String all = rest + text;
            Matcher found = TimedLine.find(all);
            int end = all.lastIndexOf('\n') + 1;
            while (found.find()) {
                TimedLine line = TimedLine.of(found);
                arrivals.add(number, line, line.number() == last + 1, now);
                last = line.number();
                end = Math.max(end, found.end());
            }
            rest = all.substring(end);
        }
    }
}
