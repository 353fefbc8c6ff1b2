package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other versions of a chat: edits and retries in its middle, switches and forks. */
class VersionsBrowserTest extends ScriptedPageTest {
    private String chat;

    @BeforeEach
    void fill() throws Exception {
        chat = server.newChat();
        for (String word : List.of("one", "two", "three")) {
            try (TestServer.Events events =
                    server.turn(Map.of("chatId", chat, "message", "ask " + word))) {
                sandbox.next().answers("answer " + word);
                events.rest();
            }
        }
        ada.open("/chats/" + chat);
        assertThat(ada.messages()).hasCount(6);
    }

    @Test
    void aQuestionInTheMiddleIsEditedAndItsAnswerRetried() throws Exception {
        ada.messages().nth(2).getByLabel("Edit").click();
        Locator field = ada.page().getByLabel("Edited message");
        assertThat(field).hasValue("ask two");
        field.fill("ask two, better");
        field.press("Enter");
        assertThat(told(sandbox.next(), "answer two, better"))
                .containsExactly("ask one", "answer one");
        assertThat(ada.text("answer two, better")).isVisible();
        assertThat(ada.messages()).hasCount(4);

        ada.messages().nth(2).getByLabel("Previous version").click();
        assertThat(ada.text("answer three")).isVisible();
        assertThat(ada.messages()).hasCount(6);
        ada.messages().nth(1).getByLabel("Retry").click();
        assertThat(told(sandbox.next(), "answer one, again")).isEmpty();
        assertThat(ada.text("answer one, again")).isVisible();
        assertThat(ada.messages()).hasCount(2);
        ada.messages().nth(1).getByLabel("Previous version").click();
        assertThat(ada.text("answer three")).isVisible();

        ada.messages().first().getByLabel("Edit").click();
        ada.page().getByLabel("Edited message").fill("begin anew");
        ada.button("Send").first().click();
        assertThat(told(sandbox.next(), "a new beginning")).isEmpty();
        assertThat(ada.text("a new beginning")).isVisible();
        assertThat(ada.messages()).hasCount(2);
        ada.page().reload();
        assertThat(ada.text("a new beginning")).isVisible();
    }

    @Test
    void aChatIsForkedFromAMessage() throws Exception {
        ada.messages().nth(2).getByLabel("More about this message").click();
        ada.button("Fork from here").click();

        ada.page().waitForURL(Pattern.compile(".*/chats/(?!" + chat + ").*"));
        assertThat(ada.messages()).hasCount(3);
        assertThat(ada.text("ask two")).isVisible();
        ada.say("go on");
        assertThat(told(sandbox.next(), "gone on"))
                .containsExactly("ask one", "answer one", "ask two");
        assertThat(ada.text("gone on")).isVisible();
        ada.open("/chats/" + chat);
        assertThat(ada.messages()).hasCount(6);
    }

    @Test
    void aVersionIsOpenedOnceAndBringsItsFiles() throws Exception {
        ada.messages().nth(5).getByLabel("Retry").click();
        sandbox.next().answers("answer three, again");
        assertThat(ada.text("answer three, again")).isVisible();
        List<Route> held = new ArrayList<>();
        ada.page().route("**/head", held::add);

        Locator previous = ada.messages().nth(5).getByLabel("Previous version");
        previous.click();
        assertThat(previous).isDisabled();
        assertThat(ada.button("Retry")).hasCount(0);
        ada.page().waitForCondition(() -> !held.isEmpty());
        APIResponse switched = held.getFirst().fetch();
        String undo = ",\"undo\":\"00000000-0000-4000-8000-000000000000\"}";
        held.getFirst()
                .fulfill(
                        new Route.FulfillOptions()
                                .setStatus(switched.status())
                                .setContentType("application/json")
                                .setBody(switched.text().replaceFirst("}$", undo)));

        assertThat(ada.messages().nth(5)).containsText("answer three");
        assertThat(ada.text("answer three, again")).hasCount(0);
        assertThat(held).hasSize(1);
        assertThat(ada.text("The files are those of this version.")).isVisible();
        ada.button("Go back").click();
        ada.page().waitForCondition(() -> held.size() == 2);
        held.getLast().resume();
        assertThat(ada.text("answer three, again")).isVisible();
    }

    /** Returns what the model is told of the messages before. */
    private static List<String> told(RunOnStage run, String answer) {
        List<String> before =
                Objects.requireNonNull(run.dispatch().conversation()).stream()
                        .map(ChatTurn::content)
                        .toList();
        run.answers(answer);
        return before;
    }
}
