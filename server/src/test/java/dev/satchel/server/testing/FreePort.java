package dev.satchel.server.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a test that must know it before something listens there, or that nothing listens
 * there. It is below the ports that the kernel gives to connections and to servers on port 0, so
 * that no other process gets it meanwhile.
 */
public final class FreePort {
    private static final int FIRST = 15_000;
    private static final int END = 30_000;

    private FreePort() {}

    public static int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException _) {
                // in use
            }
        }
    }
}
