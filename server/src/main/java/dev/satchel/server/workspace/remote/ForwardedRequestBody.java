package dev.satchel.server.workspace.remote;

import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The body of a request that is forwarded; stores why this server refused to read on. */
final class ForwardedRequestBody extends InputStream {
    private final InputStream in;
    private volatile @Nullable SatchelException refusal;

    ForwardedRequestBody(InputStream in) {
        this.in = in;
    }

    BodyPublisher publisher(Exchange exchange) {
        if (exchange.method().equals("DELETE")) {
            return BodyPublishers.noBody();
        }
        BodyPublisher body = BodyPublishers.ofInputStream(() -> this);
        Optional<Long> length = exchange.header("Content-Length").map(Long::valueOf);
        return length.isPresent() && length.get() > 0
                ? BodyPublishers.fromPublisher(body, length.get())
                : body;
    }

    void throwRefusal() {
        SatchelException found = refusal;
        if (found != null) {
            throw found;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        try {
            return in.read(target, offset, length);
        } catch (SatchelException e) {
            refusal = e;
            throw new IOException(e);
        }
    }
}
