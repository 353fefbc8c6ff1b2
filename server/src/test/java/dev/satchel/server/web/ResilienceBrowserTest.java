package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResilienceBrowserTest {
    private static final String RECONNECTING = "Reconnecting…";

    @TempDir private Path data;
    private ScriptedSandbox sandbox;
    private TestServer server;
    private CuttableProxy proxy;
    private Visitor ada;

    @BeforeEach
    void open() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(data, null, sandbox.url());
        proxy = new CuttableProxy(server.url(""));
        ada = Visitor.at(server, proxy.url(), new Browser.NewContextOptions());
    }

    @AfterEach
    void close() throws Exception {
        ada.close();
        proxy.close();
        server.close();
        sandbox.close();
    }

    @Test
    void aReloadInTheMiddleOfARunLosesAndDoublesNothing() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        run.stepStarts("a", "sh").stepSucceeds("a", "sh").stepStarts("b", "view");
        assertThat(ada.steps()).hasCount(2);

        ada.page().reload();

        assertThat(ada.steps()).hasCount(2);
        run.stepSucceeds("b", "view").stepStarts("c", "grep");
        assertThat(ada.steps()).hasCount(3);
        assertThat(ada.steps().nth(1)).containsText("done");
        run.stepSucceeds("c", "grep").answers("whole");
        assertThat(ada.text("whole")).isVisible();
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void aLostConnectionIsToldAndMendedWithoutALostOrDoubledRow() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("a", "sh");
        assertThat(ada.steps()).hasCount(1);

        proxy.cut();
        assertThat(ada.page().getByText(RECONNECTING)).isVisible();
        run.stepSucceeds("a", "sh").stepStarts("b", "view");
        proxy.mend();

        assertThat(ada.page().getByText(RECONNECTING)).isHidden();
        assertThat(ada.steps()).hasCount(2);
        assertThat(ada.steps().first()).containsText("done");
        run.stepSucceeds("b", "view").answers("all there");
        assertThat(ada.text("all there")).isVisible();
        assertThat(ada.page().locator(".steps-summary")).containsText("2 steps");
    }

    @Test
    void aRunThatEndedWhileAwayIsThereOnceTheConnectionIsBack() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("a", "sh");
        assertThat(ada.steps()).hasCount(1);

        proxy.cut();
        assertThat(ada.page().getByText(RECONNECTING)).isVisible();
        run.stepSucceeds("a", "sh").answers("meanwhile done");
        proxy.mend();

        assertThat(ada.text("meanwhile done")).isVisible();
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void aServerThatIsStartedAgainEndsTheRunClearlyAndTheChatGoesOn() throws Exception {
        ada.say("go");
        sandbox.next().stepStarts("a", "sh");
        assertThat(ada.steps()).hasCount(1);

        proxy.cut();
        server.close();
        server = TestServer.start(data, null, sandbox.url());
        proxy.leadTo(server.url(""));
        proxy.mend();

        assertThat(ada.page().locator(".end")).isVisible();
        ada.say("again");
        sandbox.next().answers("works");
        assertThat(ada.text("works")).isVisible();
    }

    @Test
    void offlineIsShownAndNothingIsSent() throws Exception {
        ada.context().setOffline(true);
        assertThat(ada.page().getByText("You are offline. A running turn continues")).isVisible();

        ada.composer().fill("later");

        assertThat(ada.button("Send")).isDisabled();
        assertThat(ada.button("Send")).hasAttribute("title", "You are offline.");
        ada.context().setOffline(false);
        assertThat(ada.button("Send")).isEnabled();
    }

    @Test
    void aReloadAfterTheEndGivesTheSameMarkup() throws Exception {
        ada.say("show me");
        sandbox.next()
                .say("{\"type\":\"delta\",\"text\":\"Let me look.\"}")
                .stepStarts("a", "sh")
                .stepSucceeds("a", "sh")
                .stepStarts("b", "view")
                .say(
                        "{\"type\":\"step\",\"id\":\"b\",\"name\":\"view\",\"status\":\"failed\",\"error\":\"no\",\"durationMs\":2}")
                .answers("# Found\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```json\n{\"x\": 1}\n```");
        assertThat(ada.page().locator(".hljs-attr")).isVisible();
        assertThat(ada.button("Retry")).isVisible();
        String live = markup();

        ada.page().reload();

        assertThat(ada.page().locator(".hljs-attr")).isVisible();
        assertThat(ada.button("Retry")).isVisible();
        assertThat(markup()).isEqualTo(live);
        assertThat(ada.complaints()).isEqualTo(List.of());
    }

    /** Without the numbers of menus, which follow the order in which they were drawn. */
    private String markup() {
        return ada.page().locator("[role=log]").innerHTML().replaceAll("_r_\\w+_", "_r_");
    }
}
