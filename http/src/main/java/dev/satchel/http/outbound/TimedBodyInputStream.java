package dev.satchel.http.outbound;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A response body with a read timeout, whose reader can be interrupted. The request timeout of the
 * JDK ends with the headers.
 */
final class TimedBodyInputStream extends InputStream
        implements HttpResponse.BodySubscriber<InputStream> {
    private sealed interface Piece {}

    private record Bytes(List<ByteBuffer> buffers) implements Piece {}

    private record End(@Nullable Throwable cause) implements Piece {}

    private final Duration idle;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final CompletableFuture<Subscription> subscription = new CompletableFuture<>();

    /** Touched by the reading thread only. */
    private Bytes current = new Bytes(List.of());

    private @Nullable End end;

    TimedBodyInputStream(Duration idle) {
        this.idle = idle;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Subscription offered) {
        if (!subscription.complete(offered)) {
            offered.cancel(); // closed before the first byte
            return;
        }
        offered.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        pieces.add(new Bytes(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        pieces.add(new End(cause));
    }

    @Override
    public void onComplete() {
        pieces.add(new End(null));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        ByteBuffer buffer = nextBuffer();
        if (buffer == null) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(target, offset, count);
        return count;
    }

    @Override
    public void close() {
        if (!subscription.cancel(false)) {
            subscription.join().cancel();
        }
    }

    private @Nullable ByteBuffer nextBuffer() throws IOException {
        while (end == null) {
            for (ByteBuffer buffer : current.buffers()) {
                if (buffer.hasRemaining()) {
                    return buffer;
                }
            }
            switch (nextPiece()) {
                case Bytes bytes -> {
                    current = bytes;
                    subscription.join().request(1);
                }
                case End ended -> end = ended;
            }
        }
        if (end.cause() != null) {
            throw new IOException("the connection broke", end.cause());
        }
        return null;
    }

    private Piece nextPiece() throws IOException {
        try {
            Piece piece = pieces.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
            if (piece != null) {
                return piece;
            }
            close();
            throw new HttpTimeoutException("nothing came for " + idle);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
