package dev.satchel.server.web;

import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens the page of a whole system, with real sandboxes. */
abstract class WholePageTest {
    TestServer server;
    Visitor ada;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        server = TestServer.startWhole(data);
        ada = Visitor.of(server);
    }

    @AfterEach
    void stop() {
        ada.close();
        server.close();
    }
}
