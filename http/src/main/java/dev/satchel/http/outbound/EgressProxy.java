package dev.satchel.http.outbound;

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
 * An HTTP proxy that connects to the targets of a policy: for one sandbox through a socket file, or
 * on loopback for calls of this process to addresses that a tenant has set.
 */
public final class EgressProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);
    private static final int CONNECTIONS = 64;

    private final ServerSocketChannel listener;
    private final EgressPolicy policy;
    private final @Nullable Path socket;
    private final Semaphore free;
    private final Set<EgressConnection> connections = ConcurrentHashMap.newKeySet();

    private EgressProxy(
            ServerSocketChannel listener,
            EgressPolicy policy,
            @Nullable Path socket,
            int connections) {
        this.listener = listener;
        this.policy = policy;
        this.socket = socket;
        this.free = new Semaphore(connections);
    }

    /** Listens until closed; closing also ends its connections. */
    public static EgressProxy open(Path socket, EgressPolicy policy) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        return started(new EgressProxy(listener, policy, socket, CONNECTIONS));
    }

    /** Listens on a free port. Other users of this machine could reach the same targets. */
    public static EgressProxy openOnLoopback(EgressPolicy policy) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return started(new EgressProxy(listener, policy, null, Integer.MAX_VALUE));
    }

    private static EgressProxy started(EgressProxy proxy) {
        Thread.ofVirtual().name("egress").start(proxy::accept);
        return proxy;
    }

    /** The address on loopback. */
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
                EgressConnection connection = new EgressConnection(client, policy);
                connections.add(connection);
                Thread.ofVirtual().name("egress-connection").start(() -> serve(connection));
            }
        } catch (ClosedChannelException | InterruptedException _) {
            // the sandbox is closing
        } catch (IOException e) {
            LOG.warn("the proxy of a sandbox failed", e);
        }
    }

    private void serve(EgressConnection connection) {
        try {
            if (listener.isOpen()) { // else close() has missed this connection
                connection.serve();
            }
        } finally {
            connections.remove(connection);
            free.release();
        }
    }
}
