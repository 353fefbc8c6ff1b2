package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What is not drawn again cannot be slow; how quick the rest is, {@link FluidityFigures} tells. */
class LongThreadBrowserTest {
    /** React leaves the properties of its last rendering on each element. */
    private static final String REMEMBER_RENDERINGS =
            """
            () => {
              const props = element => element[Object.keys(element).find(k => k.startsWith('__reactProps'))];
              const before = [...document.querySelectorAll('article.message')].map(it => [it, props(it)]);
              window.renderedAgain = () => before.filter(([it, old]) => props(it) !== old).length;
            }
            """;

    private static final String COUNT_CHANGES =
            """
            () => {
              window.changes = 0;
              new MutationObserver(all => window.changes += all.length).observe(
                document.querySelector('[role=log]'),
                {subtree: true, childList: true, attributes: true, characterData: true});
            }
            """;

    @TempDir private Path data;
    private ScriptedSandbox sandbox;
    private TestServer server;
    private Visitor ada;

    @BeforeEach
    void open() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(data, null, sandbox.url());
        ada = Visitor.of(server);
        LongThread.open(server, data, ada);
    }

    @AfterEach
    void close() {
        ada.close();
        server.close();
        sandbox.close();
    }

    @Test
    void inAThreadOfAThousandTurnsAKeyRendersNoMessageAgain() {
        ada.page().evaluate(REMEMBER_RENDERINGS);
        ada.page().evaluate(COUNT_CHANGES);

        LongThread.composer(ada).pressSequentially("still quick");

        assertThat(LongThread.composer(ada)).hasValue("still quick");
        assertThat(ada.page().evaluate("window.changes")).isEqualTo(0);
        assertThat(ada.page().evaluate("window.renderedAgain()")).isEqualTo(0);
    }

    @Test
    void aTurnThatRunsRendersOnlyTheTurnBeforeItAgain() throws Exception {
        ada.page().evaluate(REMEMBER_RENDERINGS);

        LongThread.composer(ada).fill("go");
        LongThread.composer(ada).press("Enter");
        RunOnStage run = sandbox.next().stepStarts("a", "sh").stepSucceeds("a", "sh");
        run.say("{\"type\":\"delta\",\"text\":\"Half a sentence\"}");
        assertThat(ada.page().locator("article.message .markdown").last())
                .hasText("Half a sentence");

        // It loses its buttons: only the newest turn can be retried or edited.
        assertThat(ada.page().evaluate("window.renderedAgain()")).isEqualTo(2);
    }

    @Test
    void messagesOutOfSightAreNotLaidOutAndFoldedStepsAreNotThere() {
        assertThat(
                        ada.page()
                                .evaluate(
                                        "[...new"
                                            + " Set([...document.querySelectorAll('article.message')].map(it"
                                            + " => getComputedStyle(it).contentVisibility))].join()"))
                .isEqualTo("auto");
        assertThat(ada.steps()).hasCount(0);
        int elements =
                (Integer) ada.page().evaluate("document.querySelectorAll('[role=log] *').length");
        assertThat(elements).isLessThan(LongThread.TURNS * 50);
    }
}
