package dev.satchel.server.web;

import dev.satchel.server.testing.ScriptedTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Somebody looks at the page while the sandbox does what the test says. */
abstract class ScriptedPageTest extends ScriptedTest {
    Visitor ada;

    @BeforeEach
    void openPage() throws Exception {
        ada = Visitor.of(server);
    }

    @AfterEach
    void closePage() {
        ada.close();
    }
}
