package dev.satchel.torture.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A TCP proxy that forwards bytes or injects the faults of networks and services. */
public final class FaultProxy implements AutoCloseable {
    /** How the proxy treats connections. */
    public enum Mode {
        PASS,
        /** Breaks every connection and refuses new ones. */
        CUT,
        /** Accepts requests and never answers. */
        HANG,
        /** Keeps every connection open and transfers nothing, as a network that drops packets. */
        SILENT,
        /** Answers every request with 500. */
        BROKEN,
        /** Forwards with random delays, cuts in the middle of a stream, and repeated requests. */
        BAD_LINE,
        /** Forwards, but cuts connections at random, some between a COMMIT and its answer. */
        UNRELIABLE
    }

    private static final byte[] ERROR =
            "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final Duration LONGEST_DELAY = Duration.ofMillis(300);
    private static final int MAX_REPEATED_BYTES = 1 << 20;

    /** One of so many packets of a request is lost with its connection. */
    private static final int PACKETS_PER_CUT = 400;

    private static final int COMMITS_PER_LOSS = 40;
    private static final String COMMIT = "COMMIT";

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Random random;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.PASS;

    public FaultProxy(int targetPort, Random random) throws IOException {
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        this.random = new Random(random.nextLong());
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Open connections are broken, as they are when a service goes down; not if silent. */
    public void become(Mode next) {
        mode = next;
        if (next != Mode.SILENT) {
            open.forEach(FaultProxy::closeQuietly);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(FaultProxy::closeQuietly);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            switch (mode) {
                case CUT -> {}
                case HANG, SILENT ->
                        client.getInputStream().transferTo(OutputStream.nullOutputStream());
                case BROKEN -> {
                    client.getOutputStream().write(ERROR);
                    client.shutdownOutput();
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
                case PASS, UNRELIABLE -> pass(client, Long.MAX_VALUE, false);
                case BAD_LINE -> {
                    Thread.sleep(LONGEST_DELAY.multipliedBy(random.nextInt(100)).dividedBy(100));
                    boolean cut = random.nextInt(5) == 0;
                    pass(
                            client,
                            cut ? random.nextInt(20_000) : Long.MAX_VALUE,
                            random.nextBoolean());
                }
            }
        } catch (IOException e) {
            // one side has closed; closing the other side follows
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    /** Forwards at most so many bytes of the answers and may send the request a second time. */
    private void pass(Socket client, long limit, boolean twice)
            throws IOException, InterruptedException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        try (Socket server = new Socket()) {
            server.connect(target);
            open.add(server);
            AtomicBoolean losing = new AtomicBoolean(); // the next answer
            Thread back = Thread.ofVirtual().start(() -> pump(server, client, limit, losing));
            copy(client.getInputStream(), server.getOutputStream(), request, losing);
            server.shutdownOutput();
            back.join();
            open.remove(server);
        }
        if (twice && request.size() < MAX_REPEATED_BYTES) {
            repeat(request.toByteArray());
        }
    }

    private void repeat(byte[] request) throws IOException {
        try (Socket server = new Socket()) {
            server.connect(target);
            server.getOutputStream().write(request);
            server.shutdownOutput();
            server.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
    }

    private void copy(
            InputStream in, OutputStream out, ByteArrayOutputStream request, AtomicBoolean losing)
            throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (mode == Mode.SILENT) {
                continue;
            }
            if (mode == Mode.UNRELIABLE) {
                if (random.nextInt(PACKETS_PER_CUT) == 0) {
                    throw new IOException("cut");
                }
                String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                losing.compareAndSet(
                        false, text.contains(COMMIT) && random.nextInt(COMMITS_PER_LOSS) == 0);
            }
            out.write(buffer, 0, read);
            if (request.size() < MAX_REPEATED_BYTES) {
                request.write(buffer, 0, read);
            }
        }
    }

    private void pump(Socket from, Socket to, long limit, AtomicBoolean losing) {
        try {
            byte[] buffer = new byte[16 * 1024];
            long left = limit;
            int read = from.getInputStream().read(buffer);
            while (read >= 0 && left > 0 && !losing.get()) {
                if (mode != Mode.SILENT) {
                    to.getOutputStream().write(buffer, 0, (int) Math.min(read, left));
                    left -= read;
                }
                read = from.getInputStream().read(buffer);
            }
        } catch (IOException e) {
            // the other side is closed below
        }
        closeQuietly(from);
        closeQuietly(to);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is being closed
        }
    }
}
