package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page while its server is killed in the middle of a run and started again. */
@Timeout(120)
class ContinuedRunBrowserTest {
    private static final String RESUMED =
            "The server was interrupted; this answer is being continued.";

    @Test
    void theAnswerGoesOnWithoutAReload(@TempDir Path folder) throws Exception {
        try (ScriptedModel model = new ScriptedModel();
                ServerProcess first = start(folder, model);
                CuttableProxy proxy = new CuttableProxy(first.url());
                Visitor ada = Visitor.at(first, proxy.url())) {
            ada.say("go");
            Map<String, String> command = Map.of("command", "echo once >> effects.txt");
            model.next().says("I begin.").calls("sh", command).ends();
            ScriptedModel.Call _ = model.next().says("Half an ans");
            assertThat(ada.text("Half an ans")).isVisible();
            assertThat(ada.steps()).hasCount(1);

            first.kill();
            assertThat(ada.page().getByText("Reconnecting…")).isVisible();
            try (ServerProcess second = start(folder, model)) {
                proxy.leadTo(second.url());
                ScriptedModel.Call again = model.next();
                assertThat(ada.page().getByText(RESUMED)).isVisible();
                assertThat(ada.text("Half an ans")).hasCount(0);
                again.says("The whole answer.").ends();

                assertThat(ada.text("The whole answer.")).isVisible();
                ada.awaitEndOfTurn();
                assertThat(ada.text("I begin.")).hasCount(1);
                assertThat(ada.messages()).hasCount(2);
                assertThat(ada.page().getByText(RESUMED)).hasCount(0);
            }
        }
    }

    private static ServerProcess start(Path folder, ScriptedModel model) throws Exception {
        return ServerProcess.start(folder.resolve("data"), model.settings(folder));
    }
}
