package dev.satchel.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A proxy that drops connections on request. */
public final class InterruptibleProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final URI behind;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean losesRequest = new AtomicBoolean();
    private final AtomicLong cutAfter = new AtomicLong(Long.MAX_VALUE);

    public InterruptibleProxy(URI behind) throws IOException {
        this.behind = behind;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    public int connections() {
        return connections.get();
    }

    /** Closes all open connections and accepts new ones. */
    public void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** Lets so many bytes of a connection's answers pass and ends it there; once. */
    public void cutAfter(long bytes) {
        cutAfter.set(bytes);
    }

    /** Ends the next connection on which a request comes, which the server never sees. */
    void loseRequest() {
        losesRequest.set(true);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(behind.getHost(), behind.getPort());
                connections.incrementAndGet();
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> pump(client, server, false));
                Thread.ofVirtual().start(() -> pump(server, client, true));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pump(Socket from, Socket to, boolean isAnswer) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8 * 1024];
            long moved = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!isAnswer && losesRequest.compareAndSet(true, false)) {
                    return;
                }
                if (isAnswer && moved + read > cutAfter.get()) {
                    out.write(buffer, 0, (int) Math.max(0, cutAfter.get() - moved));
                    cutAfter.set(Long.MAX_VALUE);
                    return;
                }
                out.write(buffer, 0, read);
                moved += read;
            }
        } catch (IOException e) {
            // cut
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }
}
