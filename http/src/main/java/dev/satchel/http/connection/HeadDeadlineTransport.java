package dev.satchel.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The transport of this machine, native on Linux (see {@link FileTransfer}), whose servers give
 * every connection that they accept a {@link HeadDeadline}. Vert.x has no hook at that moment.
 */
public final class HeadDeadlineTransport implements io.vertx.core.transport.Transport {
    private final io.vertx.core.transport.Transport machine;
    private final Duration limit;

    public HeadDeadlineTransport(Duration limit) {
        io.vertx.core.transport.Transport fastest =
                io.vertx.core.transport.Transport.nativeTransport();
        this.machine = fastest == null ? io.vertx.core.transport.Transport.NIO : fastest;
        this.limit = limit;
    }

    @Override
    public String name() {
        return machine.name();
    }

    @Override
    public boolean available() {
        return machine.available();
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return machine.unavailabilityCause();
    }

    @Override
    public Transport implementation() {
        return new Timed(machine.implementation(), limit);
    }

    /** Sees a connection before Vert.x does. */
    private static final class Accepted extends ChannelInboundHandlerAdapter {
        private final Duration limit;

        Accepted(Duration limit) {
            this.limit = limit;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof Channel connection) {
                connection.pipeline().addLast(new HeadDeadline(limit));
            }
            super.channelRead(context, message);
        }
    }

    /** Everything but the channel of a server is that of the machine. */
    private record Timed(Transport machine, Duration limit) implements Transport {
        @Override
        public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
            ChannelFactory<? extends ServerChannel> servers =
                    machine.serverChannelFactory(domainSocket);
            return () -> {
                ServerChannel server = servers.newChannel();
                server.pipeline().addLast(new Accepted(limit));
                return server;
            };
        }

        @Override
        public boolean supportsDomainSockets() {
            return machine.supportsDomainSockets();
        }

        @Override
        public boolean supportFileRegion() {
            return machine.supportFileRegion();
        }

        @Override
        public boolean isAvailable() {
            return machine.isAvailable();
        }

        @Override
        public @Nullable Throwable unavailabilityCause() {
            return machine.unavailabilityCause();
        }

        @Override
        public java.net.SocketAddress convert(SocketAddress address) {
            return machine.convert(address);
        }

        @Override
        public SocketAddress convert(java.net.SocketAddress address) {
            return machine.convert(address);
        }

        @Override
        public IoHandlerFactory ioHandlerFactory() {
            return machine.ioHandlerFactory();
        }

        @Override
        public EventLoopGroup eventLoopGroup(
                int type, int threads, ThreadFactory factory, int ioRatio) {
            return machine.eventLoopGroup(type, threads, factory, ioRatio);
        }

        @Override
        @SuppressWarnings("deprecation") // of the interface
        public DatagramChannel datagramChannel(InternetProtocolFamily family) {
            return machine.datagramChannel(family);
        }

        @Override
        public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
            return machine.datagramChannelFactory();
        }

        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
            return machine.channelFactory(domainSocket);
        }

        @Override
        public void configure(DatagramChannel channel, DatagramSocketOptions options) {
            machine.configure(channel, options);
        }

        @Override
        public void configure(
                TcpConfig config, boolean domainSocket, io.netty.bootstrap.Bootstrap bootstrap) {
            machine.configure(config, domainSocket, bootstrap);
        }

        @Override
        public void configure(
                TcpConfig config,
                boolean domainSocket,
                io.netty.bootstrap.ServerBootstrap bootstrap) {
            machine.configure(config, domainSocket, bootstrap);
        }
    }
}
