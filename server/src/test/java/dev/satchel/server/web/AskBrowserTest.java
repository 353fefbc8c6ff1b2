package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The cards of a run that waits for a person. */
@Timeout(120)
class AskBrowserTest {
    private static final Map<String, String> COMMAND = Map.of("command", "rm -rf build");
    private static final Map<String, Object> QUESTION =
            Map.of("question", "Which year?", "options", List.of("2025", "2026"));

    /** A browser that allows notifications and notes them. */
    private static final String NOTIFICATIONS =
            """
            window.told = [];
            window.Notification = class {
              static permission = 'granted';
              static requestPermission = async () => 'granted';
              constructor(title, {body}) { window.told.push(title + ': ' + body); }
              close() {}
            };
            """;

    private static final long POLL_MILLIS = 16_000;

    private static final String LOOK_AWAY =
            "() => Object.defineProperty(document, 'hidden', {configurable: true, get: () =>"
                    + " true})";

    private static ScriptedModel model;
    private static ServerProcess server;
    private Visitor ada;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        model = new ScriptedModel();
        server = ServerProcess.start(folder.resolve("data"), model.settings(folder));
        JsonNode _ =
                post("/api/agents", Map.of("name", "careful", "permissions", Map.of("sh", "ask")));
    }

    @AfterAll
    static void stop() {
        server.close();
        model.close();
    }

    @BeforeEach
    void open() throws Exception {
        ada = Visitor.at(server, server.url());
        JsonNode session = post("/api/sessions", Map.of("agent", "careful"));
        Page _ = ada.open("/chats/" + session.at("/session/id").stringValue());
        ada.say("clean up");
    }

    @AfterEach
    void close() {
        ada.close();
    }

    @Test
    void anAllowedCallRunsAndTheAnswerGoesOn() throws Exception {
        model.next().says("I clean up.").calls("sh", COMMAND).ends();
        assertThat(card(ada.page(), "Approval")).containsText("May Satchel run sh?");
        assertThat(card(ada.page(), "Approval")).containsText("rm -rf build");
        assertThat(ada.page().locator(".chat-row.current")).containsText("waiting");
        assertThat(ada.page()).hasTitle("? clean up");

        ada.button("Allow once").click();

        ScriptedModel.Call next = model.next();
        assertThat(card(ada.page(), "Approval")).hasCount(0);
        assertThat(ada.steps()).containsText("done");
        assertThat(ada.page().locator(".chat-row.current")).containsText("running");
        assertThat(ada.page().locator(".resumed")).hasCount(0); // nothing was interrupted
        next.says("All clean.").ends();
        assertThat(ada.text("All clean.")).isVisible();
        ada.awaitEndOfTurn();
        assertThat(ada.text("I clean up.")).hasCount(1);
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void aDeniedCallDoesNotRun() throws Exception {
        model.next().calls("sh", COMMAND).ends();

        ada.button("Deny").click();

        ScriptedModel.Call next = model.next();
        Assertions.assertThat(next.request().toString()).contains("The person denied this call.");
        next.says("Then not.").ends();
        assertThat(ada.text("Then not.")).isVisible();
    }

    @Test
    void aQuestionIsAnsweredWithAnOption() throws Exception {
        model.next().calls("ask_user", QUESTION).ends();
        assertThat(card(ada.page(), "Question")).containsText("Which year?");

        ada.button("2026").click();

        answered("2026");
    }

    @Test
    void aQuestionIsAnsweredInWordsAfterAReload() throws Exception {
        model.next().calls("ask_user", QUESTION).ends();
        assertThat(card(ada.page(), "Question")).isVisible();
        ada.page().reload();
        assertThat(card(ada.page(), "Question")).containsText("Which year?");

        Locator words =
                ada.page()
                        .getByRole(
                                AriaRole.TEXTBOX,
                                new Page.GetByRoleOptions().setName("Your answer"));
        words.fill("the one before");
        words.press("Enter");

        answered("the one before");
    }

    private void answered(String text) throws Exception {
        ScriptedModel.Call next = model.next();
        Assertions.assertThat(next.request().get("messages").toString()).contains(text);
        next.says("Here it is.").ends();
        assertThat(ada.text("Here it is.")).isVisible();
        ada.awaitEndOfTurn();
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void anAnswerInOneTabIsSeenInTheOther() throws Exception {
        model.next().calls("sh", COMMAND).calls("ask_user", QUESTION).ends();
        assertThat(card(ada.page(), "Approval")).isVisible();
        Page other = ada.context().newPage();
        other.navigate(ada.page().url());

        Visitor.button(other, "Allow once").click();
        assertThat(card(ada.page(), "Approval")).hasCount(0);
        assertThat(card(ada.page(), "Question")).isVisible();
        Visitor.button(other, "2025").click();

        assertThat(card(ada.page(), "Question")).hasCount(0);
        model.next().says("Done.").ends();
        assertThat(ada.text("Done.")).isVisible();
        assertThat(other.getByText("Done.")).isVisible();
    }

    @Test
    void whatIsAllowedInThisChatIsNotAskedAgain() throws Exception {
        model.next().calls("sh", COMMAND).ends();

        ada.button("Allow in this chat").click();

        model.next().calls("sh", Map.of("command", "ls")).ends();
        model.next().says("Both ran.").ends();
        assertThat(ada.text("Both ran.")).isVisible();
        assertThat(card(ada.page(), "Approval")).hasCount(0);
    }

    /** What two chats ask is counted, listed and answered in one place. */
    @Test
    void theInboxHasTheAsksOfAllChats() throws Exception {
        model.next().calls("sh", COMMAND).ends();
        assertThat(card(ada.page(), "Approval")).isVisible();
        JsonNode second = post("/api/sessions", Map.of("agent", "careful"));
        Page _ = ada.open("/chats/" + second.at("/session/id").stringValue());
        ada.say("ask me");
        model.next().calls("ask_user", QUESTION).ends();
        assertThat(card(ada.page(), "Question")).isVisible();

        ada.page().reload(); // counted at once, not with the next poll
        ada.page().getByText("2 answers needed").click();
        Locator asks = ada.page().locator(".inbox > li");
        assertThat(asks).hasCount(2);
        assertThat(asks.first()).containsText("ask me");
        assertThat(asks.last()).containsText("clean up");
        ada.button("2026").click();
        assertThat(asks).hasCount(1);
        model.next().says("Noted.").ends();
        ada.button("Allow once").click();
        assertThat(ada.text("Nothing waits for your answer.")).isVisible();
        model.next().says("Cleaned.").ends();

        assertThat(ada.page().locator(".open-asks")).hasCount(0);
        ada.page().locator(".chat-row").getByText("clean up").first().click();
        assertThat(ada.text("Cleaned.")).isVisible();
    }

    @Test
    void aHiddenTabTellsWhatAnotherChatAsksAndThatItsTurnHasEnded() throws Exception {
        Page other = ada.context().newPage();
        other.addInitScript(NOTIFICATIONS);
        other.clock().install();
        other.navigate(server.url() + "/settings");
        other.getByText("Tell me when a turn ends").click();
        assertThat(other.locator(".chat-row").getByText("running").first()).isVisible();
        other.evaluate(LOOK_AWAY);

        model.next().calls("sh", COMMAND).ends();
        assertThat(card(ada.page(), "Approval")).isVisible();
        other.clock().fastForward(POLL_MILLIS);
        assertThat(other).hasTitle("? Settings · Satchel");
        ada.button("Allow once").click();
        model.next().says("Cleaned.").ends();
        ada.awaitEndOfTurn();

        other.clock().fastForward(POLL_MILLIS);
        other.waitForFunction("() => window.told.length === 2");
        Assertions.assertThat(other.evaluate("window.told"))
                .isEqualTo(
                        List.of(
                                "clean up: Satchel waits for your answer.",
                                "clean up: The turn has ended."));
    }

    @Test
    void stoppingTheTurnTakesTheCardAway() throws Exception {
        model.next().calls("sh", COMMAND).ends();
        assertThat(card(ada.page(), "Approval")).isVisible();

        ada.button("Stop").click();

        assertThat(ada.page().locator(".end")).containsText("Stopped by you");
        assertThat(card(ada.page(), "Approval")).hasCount(0);
    }

    private static Locator card(Page page, String name) {
        return page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name));
    }

    private static JsonNode post(String path, Map<String, ?> body) throws Exception {
        return Json.MAPPER.readTree(
                server.send("POST", path, Json.MAPPER.writeValueAsString(body)).body());
    }
}
