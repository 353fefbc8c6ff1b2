package dev.satchel.server.database;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a server and PostgreSQL. When armed, it lets the next commit reach the database
 * and breaks the connection before the answer comes back, so that the server does not know the
 * outcome.
 */
public final class LostCommitProxy implements AutoCloseable {
    private static final int SSL_REQUEST = 80877103;

    private final URI target;
    private final ServerSocket listener;
    private final AtomicInteger toLose = new AtomicInteger();

    public LostCommitProxy(URI target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** The database behind this proxy. */
    public URI url() {
        String authority = target.getRawUserInfo() + "@127.0.0.1:" + listener.getLocalPort();
        return URI.create("postgresql://" + authority + target.getRawPath());
    }

    /** The next commits lose their answers. */
    public void lose(int commits) {
        toLose.set(commits);
    }

    /** How many of them have not come yet. */
    public int left() {
        return toLose.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(target.getHost(), target.getPort())) {
            Link link = new Link();
            Thread back = Thread.ofVirtual().start(() -> answers(server, client, link));
            requests(client, server, link);
            server.shutdownOutput();
            back.join();
        } catch (IOException e) {
            return; // one side has gone, the other follows
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the two directions of a connection share. */
    private static final class Link {
        private volatile boolean losing;
    }

    /** Passes messages on one by one, and finds those that commit. */
    private void requests(Socket client, Socket server, Link link) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(server.getOutputStream());
        Set<String> commits = new HashSet<>(); // the names of prepared statements
        boolean started = false;
        while (true) {
            int type = started ? in.readUnsignedByte() : -1;
            int length = in.readInt();
            byte[] body = in.readNBytes(length - Integer.BYTES);
            if (started && isCommit((char) type, body, commits) && takeOne()) {
                link.losing = true;
            }
            started = started || !isSslRequest(body);
            if (type >= 0) {
                out.writeByte(type);
            }
            out.writeInt(length);
            out.write(body);
            out.flush();
        }
    }

    private boolean takeOne() {
        return toLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    private static boolean isSslRequest(byte[] body) {
        return body.length == Integer.BYTES
                && java.nio.ByteBuffer.wrap(body).getInt() == SSL_REQUEST;
    }

    private static boolean isCommit(char type, byte[] body, Set<String> commits) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        return switch (type) {
            case 'Q' -> isCommit(text);
            case 'P' -> { // the name of the statement, its text, its parameters
                String[] parts = text.split("\0", 3);
                if (isCommit(parts[1])) {
                    commits.add(parts[0]);
                }
                yield false;
            }
            // the name of the portal, the name of the statement, ...
            case 'B' -> commits.contains(text.split("\0", 3)[1]);
            default -> false;
        };
    }

    private static boolean isCommit(String sql) {
        return sql.strip().toUpperCase(Locale.ROOT).startsWith("COMMIT");
    }

    /** Once the database answers a commit, it has committed: then both connections are closed. */
    private static void answers(Socket server, Socket client, Link link) {
        byte[] buffer = new byte[16 * 1024];
        try (server;
                client) {
            for (int n = server.getInputStream().read(buffer);
                    n >= 0;
                    n = server.getInputStream().read(buffer)) {
                if (link.losing) {
                    return;
                }
                client.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            return; // one side has gone, the other follows
        }
    }
}
