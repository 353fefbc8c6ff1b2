package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of tokens and cost. */
class UsageBrowserTest {
    private static final String MODELS =
            """
            {"models":[
              {"id":"deep","provider":"anthropic","name":"claude-opus","fallback":"swift","price":{"input":5,"output":25}},
              {"id":"swift","provider":"openai","name":"gpt-mini","price":{"input":1,"output":5}}
            ]}
            """;

    private ScriptedSandbox sandbox;
    private TestServer server;
    private Visitor ada;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        sandbox = new ScriptedSandbox();
        server =
                TestServer.start(
                        TestConfiguration.withModels(
                                TestServer.configuration(data, null, sandbox.url()),
                                ModelsFileParser.parse(MODELS, new ArrayList<>())),
                        Clock.systemUTC());
        ada = Visitor.of(server, 360, ColorScheme.LIGHT);
    }

    @AfterEach
    void stop() {
        ada.close();
        server.close();
        sandbox.close();
    }

    @Test
    void tokensAndCostAreShownPerDayModelAndPerson() throws Exception {
        callModels();
        ada.open("/usage");

        assertThat(rows()).hasCount(30);
        assertThat(rows().last()).containsText("$6.00");
        assertThat(bar(rows().last())).hasCSS("width", widthOfTheLongest());
        assertThat(bar(rows().first())).hasAttribute("data-weight", "0");
        assertThat(ada.page().locator("tfoot")).containsText("2,000,000");
        assertThat(ada.page().locator(".facts")).containsText("$6.00");

        ada.page().getByText("Model", exact()).click();
        assertThat(rows()).hasCount(2);
        assertThat(rows().first()).containsText("deep");
        assertThat(rows().first()).containsText("$5.00");
        assertThat(rows().last()).containsText("swift");
        ada.page().getByText("Person", exact()).click();
        assertThat(rows()).hasCount(1);
        assertThat(rows()).containsText("$6.00");
        ada.page().getByText("7 days").click();
        ada.page().getByText("Day", exact()).click();
        assertThat(rows()).hasCount(7);
        Object width = ada.page().evaluate("document.documentElement.scrollWidth");
        assertThat(((Number) width).intValue()).isLessThanOrEqualTo(360);
    }

    @Test
    void withoutACallThePageSaysSo() {
        ada.open("/usage");

        assertThat(ada.text("No model was called in this period.")).isVisible();
    }

    private void callModels() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "go"))) {
            RunOnStage run = sandbox.next();
            for (String model : List.of("deep", "swift")) {
                run.say(
                        "{\"type\":\"usage\",\"model\":\"%s\",\"provider\":\"p\",\"inputTokens\":1000000,\"outputTokens\":0,\"cacheReadTokens\":0,\"cacheWriteTokens\":0}"
                                .formatted(model));
            }
            run.answers("done");
            events.rest();
        }
    }

    private String widthOfTheLongest() {
        Object width =
                rows().last()
                        .locator(".usage-bar")
                        .evaluate(
                                "cell => { const style = getComputedStyle(cell); return"
                                        + " (cell.clientWidth - parseFloat(style.paddingLeft)"
                                        + " - parseFloat(style.paddingRight)) + 'px'; }");
        return (String) width;
    }

    private Locator rows() {
        return ada.page().locator(".usage-table tbody tr");
    }

    private static Locator bar(Locator row) {
        return row.locator(".usage-bar span");
    }

    private static com.microsoft.playwright.Page.GetByTextOptions exact() {
        return new com.microsoft.playwright.Page.GetByTextOptions().setExact(true);
    }
}
