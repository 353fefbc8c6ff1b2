package dev.satchel.http.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose request head is not complete in time, however many bytes arrive
 * meanwhile. The first head has its time from the moment the connection is accepted, each later one
 * from its first byte. It sees the bytes before the HTTP codec, because Vert.x reports a connection
 * only when its first head is complete.
 *
 * <p>In HTTP/2 only the first head is timed: a frame between two requests need not begin a head,
 * and connections without complete requests are closed as idle.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {
    private final Duration limit;
    private final AtomicInteger requests = new AtomicInteger();

    // only used on the event loop of the connection
    private @Nullable Future<?> deadline;
    private boolean multiplexed;

    HeadDeadline(Duration limit) {
        this.limit = limit;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        start(context);
        super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (deadline == null && !multiplexed && requests.get() == 0) {
            start(context);
        }
        super.channelRead(context, message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        stop();
        super.channelInactive(context);
    }

    /** Must be called on the event loop of the connection. */
    void headCompleted(boolean isMultiplexed) {
        requests.incrementAndGet();
        multiplexed |= isMultiplexed;
        stop();
    }

    /** The request is answered and its whole body has arrived, so that a head is the next. */
    void requestEnded() {
        requests.decrementAndGet();
    }

    private void start(ChannelHandlerContext context) {
        deadline =
                context.executor()
                        .schedule(() -> close(context), limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void close(ChannelHandlerContext context) {
        Future<?> _ = context.close();
    }

    private void stop() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
