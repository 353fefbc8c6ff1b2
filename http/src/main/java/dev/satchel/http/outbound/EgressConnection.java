package dev.satchel.http.outbound;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one connection to the proxy: one tunnel or one plain request. */
final class EgressConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EgressConnection.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final SocketChannel client;
    private final EgressPolicy policy;
    private final Socket server = new Socket();

    EgressConnection(SocketChannel client, EgressPolicy policy) {
        this.client = client;
        this.policy = policy;
    }

    void serve() {
        try (this) {
            InputStream input = new BufferedInputStream(Channels.newInputStream(client));
            OutputStream output = Channels.newOutputStream(client);
            try {
                ProxyRequestHead head = ProxyRequestHead.read(input);
                InetSocketAddress address = policy.resolve(head.target());
                server.connect(address, (int) CONNECT_TIMEOUT.toMillis());
                relay(head, input, output);
            } catch (ForbiddenTargetException e) {
                LOG.info("refused a connection: {}", e.getMessage());
                answer(output, "403 Forbidden", String.valueOf(e.getMessage()));
            } catch (IOException e) {
                answer(output, "502 Bad Gateway", String.valueOf(e.getMessage()));
            }
        } catch (IOException e) {
            LOG.debug("a connection of a sandbox failed", e);
        }
    }

    /** Closes both sockets, which ends all threads that read from them. */
    @Override
    public void close() throws IOException {
        try (client) {
            server.close();
        }
    }

    private void relay(ProxyRequestHead head, InputStream input, OutputStream output)
            throws IOException {
        if (head.connects()) {
            output.write(
                    "HTTP/1.1 200 Connection established\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
        } else {
            server.getOutputStream().write(head.forServer());
        }
        Thread upstream = Thread.ofVirtual().start(() -> send(input));
        server.getInputStream().transferTo(output);
        client.shutdownOutput();
        if (!head.connects()) {
            client.close(); // the only response is complete
        }
        try {
            upstream.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(InputStream input) {
        try {
            input.transferTo(server.getOutputStream());
            server.shutdownOutput();
        } catch (IOException e) {
            LOG.debug("a connection of a sandbox failed", e);
        }
    }

    private static void answer(OutputStream output, String status, String reason)
            throws IOException {
        byte[] body = (reason + "\n").getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 "
                        + status
                        + "\r\nContent-Type: text/plain; charset=utf-8\r\n"
                        + "Content-Length: "
                        + body.length
                        + "\r\nConnection: close\r\n\r\n";
        output.write(head.getBytes(StandardCharsets.US_ASCII));
        output.write(body);
    }
}
