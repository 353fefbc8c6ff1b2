package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.satchel.protocol.Json;
import dev.satchel.server.model.EnvironmentModels;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelPickerBrowserTest extends ScriptedTest {
    private static final String CHOSEN = "claude-opus-4-6";

    @TempDir private Path data;

    @Test
    void aChatKeepsTheModelThatWasChosenInIt() throws Exception {
        try (TestServer several = serverWithModels();
                Visitor ada = Visitor.of(several);
                SandboxCalls calls = new SandboxCalls()) {
            assertThat(picker(ada)).hasValue("");
            picker(ada).selectOption(CHOSEN);
            ada.say("one");
            assertThat(answeredBy(calls, sandbox.next())).isEqualTo(CHOSEN);
            ada.awaitEndOfTurn();

            ada.page().reload();
            assertThat(picker(ada)).hasValue(CHOSEN);
            ada.say("two");
            RunOnStage second = sandbox.next();
            ada.say("three"); // waits in the queue
            assertThat(ada.text("three")).isVisible();
            assertThat(answeredBy(calls, second)).isEqualTo(CHOSEN);
            assertThat(answeredBy(calls, sandbox.next())).isEqualTo(CHOSEN);
            ada.awaitEndOfTurn();

            ada.open("/");
            assertThat(picker(ada)).hasValue("");
        }
    }

    @Test
    void withoutAChoiceThereIsNoPicker() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.page().waitForResponse("**/api/models", () -> ada.open("/")).finished();
            assertThat(ada.composer()).isVisible();
            assertThat(picker(ada)).hasCount(0);
        }
    }

    /** Answers, and returns the id of the model that the runner was given. */
    private static String answeredBy(SandboxCalls calls, RunOnStage run) throws Exception {
        String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
        run.answers("Done.");
        return Json.MAPPER.readTree(config).at("/model/id").stringValue("");
    }

    private static Locator picker(Visitor visitor) {
        return visitor.page().getByLabel("Model", new Page.GetByLabelOptions().setExact(true));
    }

    private TestServer serverWithModels() throws Exception {
        return TestServer.start(
                TestConfiguration.withModels(
                        TestServer.configuration(data, null, sandbox.url()),
                        EnvironmentModels.of(
                                Map.of("ANTHROPIC_API_KEY", "unused"), new ArrayList<>())),
                Clock.systemUTC());
    }
}
