package dev.satchel.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Holds back what fills no whole packet while a file is sent: head and bytes go out in full ones,
 * and the reader is woken half as often. Only Netty's native transport knows the option; elsewhere
 * nothing happens.
 */
final class TcpCork {
    /** By its name, so that we compile without that transport. */
    private static final ChannelOption<Boolean> TCP_CORK =
            ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#TCP_CORK");

    private TcpCork() {}

    /** Before or after what is sent from the same thread; taken off, the rest goes out at once. */
    static void set(HttpConnection connection, boolean on) {
        if (connection instanceof ConnectionBase base) {
            Channel channel = base.channel();
            // where it is closed too, so never on a descriptor that is somebody else's by now
            channel.eventLoop()
                    .execute(
                            () -> {
                                if (channel.isOpen()) {
                                    boolean _ = channel.config().setOption(TCP_CORK, on);
                                }
                            });
        }
    }
}
