package dev.satchel.runner.sandbox.egress;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTP proxy for one sandbox, reachable through a socket file alone. */
public final class EgressProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);
    private static final int CONNECTIONS = 64;

    private final ServerSocketChannel listener;
    private final AllowedHosts allowed;
    private final Path socket;
    private final Semaphore free = new Semaphore(CONNECTIONS);
    private final Set<EgressConnection> connections = ConcurrentHashMap.newKeySet();

    private EgressProxy(ServerSocketChannel listener, AllowedHosts allowed, Path socket) {
        this.listener = listener;
        this.allowed = allowed;
        this.socket = socket;
    }

    /** Listens until closed; closing also ends the connections it has made. */
    public static EgressProxy open(Path socket, AllowedHosts allowed) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        EgressProxy proxy = new EgressProxy(listener, allowed, socket);
        Thread.ofVirtual().name("egress").start(proxy::accept);
        return proxy;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (EgressConnection connection : connections) {
            connection.close();
        }
        Files.deleteIfExists(socket);
    }

    private void accept() {
        try {
            while (true) {
                free.acquire();
                SocketChannel client = listener.accept();
                EgressConnection connection = new EgressConnection(client, allowed);
                connections.add(connection);
                Thread.ofVirtual().name("egress-connection").start(() -> serve(connection));
            }
        } catch (ClosedChannelException | InterruptedException _) {
            // the sandbox is closing
        } catch (IOException e) {
            LOG.warn("a sandbox lost its way out", e);
        }
    }

    private void serve(EgressConnection connection) {
        try {
            if (listener.isOpen()) { // else it was accepted while closing, and not yet known
                connection.serve();
            }
        } finally {
            connections.remove(connection);
            free.release();
        }
    }
}
