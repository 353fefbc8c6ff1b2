package dev.satchel.server.turn;

import dev.satchel.server.testing.ScriptedSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A data folder and a sandbox that outlive the servers which a test kills. */
abstract class KilledServerFixture {
    ScriptedSandbox sandbox;
    Path data;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }
}
