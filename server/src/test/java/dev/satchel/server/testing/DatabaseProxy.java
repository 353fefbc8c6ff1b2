package dev.satchel.server.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between a server and PostgreSQL, or an object store; its connections can be cut or become
 * silent.
 */
public final class DatabaseProxy implements AutoCloseable {
    private final URI database;
    private final ServerSocket listener;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;
    private volatile boolean silent;

    public DatabaseProxy(URI database) throws IOException {
        this.database = database;
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** The address of the database through this proxy. */
    public URI url() {
        return URI.create(
                database.toString()
                        .replace(
                                database.getHost() + ":" + database.getPort(),
                                "127.0.0.1:" + listener.getLocalPort()));
    }

    /** Breaks every connection and refuses new ones. */
    public void cut() {
        refusing = true;
        open.forEach(Connection::close);
    }

    /** Open connections stay open and transfer nothing any more; new ones work. */
    public void silenceOpenConnections() {
        open.forEach(connection -> connection.silent = true);
    }

    /** Open and new connections transfer nothing. */
    public void silence() {
        silent = true;
        silenceOpenConnections();
    }

    /** New connections work again; those that were silent stay so. */
    public void restore() {
        refusing = false;
        silent = false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(Connection::close);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (refusing) {
                    client.close();
                    continue;
                }
                Connection connection =
                        new Connection(
                                client,
                                new Socket(InetAddress.getLoopbackAddress(), database.getPort()));
                connection.silent = silent;
                open.add(connection);
                connection.start();
            } catch (IOException e) {
                // this connection failed, or the listener is closed
            }
        }
    }

    private final class Connection {
        private final Socket client;
        private final Socket server;
        private volatile boolean silent;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            Thread.ofVirtual().start(() -> pump(client, server));
            Thread.ofVirtual().start(() -> pump(server, client));
        }

        /** Bytes of a silent connection are read and dropped. */
        private void pump(Socket from, Socket to) {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[16 * 1024];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (!silent) {
                        out.write(buffer, 0, count);
                    }
                }
            } catch (IOException e) {
                // closed: the other direction follows
            }
            if (!silent) {
                close();
            }
        }

        void close() {
            open.remove(this);
            closeQuietly(client);
            closeQuietly(server);
        }

        private static void closeQuietly(Socket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                // it is closed
            }
        }
    }
}
