package dev.satchel.runner.sandbox.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP proxy that connects to what a way out allows: for one sandbox, reachable through a socket
 * file alone, or on loopback for this process's own calls to where a tenant sends them.
 */
public final class EgressProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);
    private static final int CONNECTIONS = 64;

    private final ServerSocketChannel listener;
    private final EgressPolicy way;
    private final @Nullable Path socket;
    private final Semaphore free;
    private final Set<EgressConnection> connections = ConcurrentHashMap.newKeySet();

    private EgressProxy(
            ServerSocketChannel listener,
            EgressPolicy way,
            @Nullable Path socket,
            int connections) {
        this.listener = listener;
        this.way = way;
        this.socket = socket;
        this.free = new Semaphore(connections);
    }

    /** Listens until closed; closing also ends the connections it has made. */
    public static EgressProxy open(Path socket, EgressPolicy way) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        return started(new EgressProxy(listener, way, socket, CONNECTIONS));
    }

    /** On a free port; opens nothing to others on this machine that they could not reach. */
    public static EgressProxy openOnLoopback(EgressPolicy way) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return started(new EgressProxy(listener, way, null, Integer.MAX_VALUE));
    }

    private static EgressProxy started(EgressProxy proxy) {
        Thread.ofVirtual().name("egress").start(proxy::accept);
        return proxy;
    }

    /** Where it listens on loopback. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (EgressConnection connection : connections) {
            connection.close();
        }
        if (socket != null) {
            Files.deleteIfExists(socket);
        }
    }

    private void accept() {
        try {
            while (true) {
                free.acquire();
                SocketChannel client = listener.accept();
                EgressConnection connection = new EgressConnection(client, way);
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
