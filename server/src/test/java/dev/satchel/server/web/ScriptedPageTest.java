package dev.satchel.server.web;

import dev.satchel.server.testing.ScriptedTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens the page with a scripted sandbox. */
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
