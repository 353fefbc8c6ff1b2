package dev.satchel.client;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Tests that talk to a server of their own. */
@Timeout(120)
public abstract class ServerTest {
    public static LocalServer server;
    public static SatchelClient client;

    @BeforeAll
    static void start() throws IOException {
        server = LocalServer.start();
        client = server.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }
}
