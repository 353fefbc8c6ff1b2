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
import java.util.List;
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
            ProxyRequestHead head;
            try {
                head = ProxyRequestHead.read(input);
                InetSocketAddress address = policy.resolve(head.target());
                server.connect(address, (int) CONNECT_TIMEOUT.toMillis());
            } catch (ForbiddenTargetException e) {
                LOG.info("refused a connection: {} reason={}", e.getMessage(), e.reason());
                answer(output, "403 Forbidden", String.valueOf(e.getMessage()));
                return;
            } catch (IOException e) {
                answer(output, "502 Bad Gateway", String.valueOf(e.getMessage()));
                return;
            }
            relay(head, input, output);
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
        InputStream response = new BufferedInputStream(server.getInputStream());
        if (!head.connects()) {
            relayHead(response, output);
        }
        response.transferTo(output);
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

    /**
     * Tells the client that the connection ends after the response: many servers do not say so
     * themselves, and the client would send its next request into a connection that is closing.
     */
    private static void relayHead(InputStream response, OutputStream output) throws IOException {
        HttpHead head = HttpHead.read(response);
        while (head.isComplete() && head.isInterim()) {
            output.write(head.bytes());
            head = HttpHead.read(response);
        }
        List<String> lines = head.lines();
        output.write(
                head.isComplete() && !lines.isEmpty()
                        ? HttpHead.forLastMessage(lines.getFirst(), lines.subList(1, lines.size()))
                        : head.bytes());
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
