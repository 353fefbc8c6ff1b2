package dev.satchel.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ExecutionException;

/** A part of a file on its way to the socket, by the kernel's own hand. */
record FileTransfer(HttpServerRequest request, FileChannel file, long offset, long length) {
    /** Returns when it is sent, or fails when the client has gone or the file is too short. */
    void run() throws IOException, InterruptedException {
        HttpServerResponse response = request.response();
        TcpCork.set(request.connection(), true);
        try {
            response.sendFile(file, offset, length)
                    .onComplete(_ -> TcpCork.set(request.connection(), false))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            if (file.read(ByteBuffer.allocate(1), offset + length - 1) == 1) {
                throw new ClientDisconnectedException(); // the file is there to its end, so it was
                // not that
            }
            throw new IOException("the file could not be sent", e.getCause());
        }
        if (response.bytesWritten() < length) { // the sender is content with less
            throw new EOFException("the file ended before " + (offset + length));
        }
    }
}
