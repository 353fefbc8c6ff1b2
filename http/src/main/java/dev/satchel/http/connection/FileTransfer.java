package dev.satchel.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ExecutionException;

/** Sends a part of a file as a response body. The kernel copies it from the file to the socket. */
public record FileTransfer(HttpServerRequest request, FileChannel file, long offset, long length) {
    /**
     * While this is set, TCP sends full packets only: headers and file go out together, and the
     * reader wakes half as often. Only Netty's native transport has the option, so it is looked up
     * by name.
     */
    private static final ChannelOption<Boolean> TCP_CORK =
            ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_CORK");

    /** Returns when it is sent; fails when the client disconnects or the file is too short. */
    public void run() throws IOException, InterruptedException {
        HttpServerResponse response = request.response();
        cork(request.connection(), true);
        try {
            response.sendFile(file, offset, length)
                    .onComplete(_ -> cork(request.connection(), false))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            boolean complete = file.read(ByteBuffer.allocate(1), offset + length - 1) == 1;
            throw complete // so the file is not the cause
                    ? new ClientDisconnectedException()
                    : new IOException("the file could not be sent", e.getCause());
        }
        if (response.bytesWritten() < length) { // sendFile does not fail for a short file
            throw new EOFException("the file ended before " + (offset + length));
        }
    }

    /** Does nothing with other transports. */
    private static void cork(HttpConnection connection, boolean on) {
        if (connection instanceof ConnectionBase base) {
            Channel channel = base.channel();
            // On the thread that closes the channel, so never on a reused file descriptor.
            channel.eventLoop()
                    .execute(
                            () -> {
                                if (channel.isOpen()) {
                                    boolean _ = channel.config().setOption(TCP_CORK, on);
                                }
                            });
        }
    }
}
