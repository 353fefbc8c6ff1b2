package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class AgentFormBrowserTest extends ScriptedTest {
    private static final String AGENT =
            """
            {"name": "reader", "variables": {"A": "1"}, "tools": ["view", "mcp:files:*"],
             "mcpServers": {"files": {"type": "http", "url": "https://files.example.org/mcp"}},
             "permissions": {"sh": "ask"}}
            """;

    @Test
    void anEditChangesOnlyWhatWasEdited() throws Exception {
        JsonNode made = Json.MAPPER.readTree(post(AGENT));
        String path = "/api/agents/" + made.get("id").stringValue();
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/agents");
            ada.button("Edit reader").click();
            ada.page().getByLabel("Instructions").fill("Read.");
            ada.button("Save").click();
            assertThat(ada.page().locator("dialog[aria-label=Agent]")).hasCount(0);

            ObjectNode expected = (ObjectNode) made;
            expected.put("systemPrompt", "Read.").put("version", 2);
            ObjectNode changed = (ObjectNode) server.getJson(path);
            assertThat(changed.without("updatedAt")).isEqualTo(expected.without("updatedAt"));

            ada.button("Edit reader").click();
            ada.page().getByLabel("Tools").fill("view, grep");
            ada.button("Save").click();
            assertThat(ada.page().locator("dialog[aria-label=Agent]")).hasCount(0);
            assertThat(server.getJson(path).get("tools").toString())
                    .isEqualTo("[\"view\",\"grep\"]");
        }
    }

    private String post(String body) throws Exception {
        return server.post("/api/agents", Json.MAPPER.readTree(body)).body();
    }
}
