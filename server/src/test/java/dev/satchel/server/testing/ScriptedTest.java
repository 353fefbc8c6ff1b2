package dev.satchel.server.testing;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Every test has its own server and a scripted sandbox. */
public abstract class ScriptedTest {
    protected ScriptedSandbox sandbox;
    protected TestServer server;

    @BeforeEach
    void startServer() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
    }

    @AfterEach
    void stopServer() {
        server.close();
        sandbox.close();
    }
}
