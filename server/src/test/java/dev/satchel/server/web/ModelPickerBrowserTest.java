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
    private static final String DELETED =
            "The agent \"clerk\" of this chat was deleted. The default agent answers.";

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
    void aChatKeepsTheAgentThatWasChosenInIt() throws Exception {
        String poet = agent("poet");
        String clerk = agent("clerk");
        try (Visitor ada = Visitor.of(server);
                SandboxCalls calls = new SandboxCalls()) {
            assertThat(agentPicker(ada)).hasValue("");
            agentPicker(ada).selectOption("poet");
            ada.page().reload(); // before a message has named it
            assertThat(agentPicker(ada)).hasValue(poet);
            ada.say("one");
            assertThat(promptOf(calls, sandbox.next())).isEqualTo("Be a poet.");
            ada.awaitEndOfTurn();

            ada.page().reload();
            assertThat(agentPicker(ada)).hasValue(poet);
            agentPicker(ada).selectOption("clerk");
            ada.say("two");
            assertThat(promptOf(calls, sandbox.next())).isEqualTo("Be a clerk.");
            ada.awaitEndOfTurn();

            server.sendAs(TestServer.KEY, "DELETE", "/api/agents/" + clerk);
            ada.page().reload();
            assertThat(ada.text(DELETED)).isVisible();
            assertThat(agentPicker(ada)).hasValue("");
            ada.say("three");
            assertThat(promptOf(calls, sandbox.next())).isEmpty();
            ada.awaitEndOfTurn();
            assertThat(ada.text(DELETED)).hasCount(0);

            agentPicker(ada).selectOption("poet");
            ada.say("four");
            assertThat(promptOf(calls, sandbox.next())).isEqualTo("Be a poet.");
            ada.awaitEndOfTurn();
            agentPicker(ada).selectOption("Default agent");
            ada.say("five");
            assertThat(promptOf(calls, sandbox.next())).isEmpty();
            ada.awaitEndOfTurn();
        }
    }

    @Test
    void aChoiceOfAnotherClientIsShown() throws Exception {
        String poet = agent("poet");
        String chat = server.newChat();
        try (TestServer.Events turn =
                server.turn(Map.of("message", "one", "chatId", chat, "agentId", poet))) {
            sandbox.next().answers("Done.");
            turn.rest();
        }
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/chats/" + chat);
            assertThat(agentPicker(ada)).hasValue(poet);
        }
    }

    @Test
    void withoutAChoiceThereIsNoPicker() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.page().waitForResponse("**/api/models", () -> ada.open("/")).finished();
            assertThat(ada.composer()).isVisible();
            assertThat(picker(ada)).hasCount(0);
            assertThat(agentPicker(ada)).hasCount(0);
        }
    }

    /** Answers, and returns the id of the model that the runner was given. */
    private static String answeredBy(SandboxCalls calls, RunOnStage run) throws Exception {
        String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
        run.answers("Done.");
        return Json.MAPPER.readTree(config).at("/model/id").stringValue("");
    }

    private static String promptOf(SandboxCalls calls, RunOnStage run) throws Exception {
        String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
        run.answers("Done.");
        return Json.MAPPER.readTree(config).path("system_prompt").stringValue("");
    }

    private String agent(String name) throws Exception {
        Map<String, String> body = Map.of("name", name, "systemPrompt", "Be a " + name + ".");
        return Json.MAPPER
                .readTree(server.post("/api/agents", body).body())
                .get("id")
                .stringValue();
    }

    private static Locator agentPicker(Visitor visitor) {
        return visitor.page().getByLabel("Agent", new Page.GetByLabelOptions().setExact(true));
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
