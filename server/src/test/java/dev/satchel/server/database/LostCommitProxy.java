package dev.satchel.server.database;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
    private volatile String statement = ""; // that a transaction must contain

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
        statement = "";
        toLose.set(commits);
    }

    /** The next commit of a transaction with such a statement loses its answer. */
    public void loseCommitWith(String text) {
        statement = text;
        toLose.set(1);
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
        Map<String, String> prepared = new HashMap<>();
        StringBuilder transaction = new StringBuilder(); // its statements
        boolean started = false;
        while (true) {
            int type = started ? in.readUnsignedByte() : -1;
            int length = in.readInt();
            byte[] body = in.readNBytes(length - Integer.BYTES);
            String sql = started ? executed((char) type, body, prepared) : "";
            if (isCommit(sql)) {
                link.losing |= transaction.indexOf(statement) >= 0 && takeOne();
                transaction.setLength(0);
            } else {
                transaction.append(sql);
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

    /** The statement that a message executes; empty for other messages. */
    private static String executed(char type, byte[] body, Map<String, String> prepared) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        return switch (type) {
            case 'Q' -> text;
            case 'P' -> { // the name of the statement, its text, its parameters
                String[] parts = text.split("\0", 3);
                prepared.put(parts[0], parts[1]);
                yield "";
            }
            // the name of the portal, the name of the statement, ...
            case 'B' -> prepared.getOrDefault(text.split("\0", 3)[1], "");
            default -> "";
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
