package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class AgentFormBrowserTest extends ScriptedTest {
    private static final String AGENT =
            """
            {"name": "reader", "variables": {"A": "1"}, "tools": ["view", "mcp:files:*"],
             "mcpServers": {
               "files": {"type": "http", "url": "https://files.example.org/mcp", "credential": "gone",
                         "headers": {"X-Key": "secret:key", "X-Empty": ""}},
               "bare": {"type": "stdio", "command": "true", "args": [], "env": {}},
               "notes": {"type": "stdio", "command": "python3", "args": ["-c", "print(1)\\nprint(2)", ""],
                         "env": {"A": "one\\ntwo"}}},
             "permissions": {"sh": "ask", "mcp:files:*": "deny"}}
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

    @Test
    void serversAndPermissionsAreFilledInAndARefusalStandsAtItsField() throws Exception {
        server.post("/api/credentials", Map.of("name", "github", "value", "token"));
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/agents");
            ada.button("New agent").click();
            Locator form = ada.page().locator("dialog[aria-label=Agent]");
            form.locator("input[name=name]").fill("maintainer");
            ada.button("Add MCP server").click();
            Locator github = form.locator("fieldset.inner").nth(0);
            github.getByLabel("Name", exactly()).fill("github");
            github.getByPlaceholder("https://").fill("git.example.org");
            github.getByLabel("Credential").selectOption("github");
            ada.button("Add header").click();
            github.getByLabel("Name of header 1").fill("X-Team");
            github.getByLabel("Value of header 1").fill("core");
            ada.button("Add permission").click();
            form.getByLabel("Name of permission 1").fill("mcp:github:*");
            ada.button("Save").click();

            assertThat(form.getByRole(AriaRole.ALERT))
                    .hasText("mcpServers.github.url must be an http or https URL with a host");
            assertThat(github.getByPlaceholder("https://")).hasAttribute("aria-invalid", "true");
            github.getByPlaceholder("https://").fill("https://git.example.org/mcp");
            ada.button("Add MCP server").click();
            Locator notes = form.locator("fieldset.inner").nth(1);
            notes.getByLabel("Name", exactly()).fill("github");
            notes.getByLabel("Type").selectOption("stdio");
            notes.getByLabel("Command").fill("python3");
            notes.getByText("Add argument").click();
            notes.getByLabel("Value of argument 1").fill("notes.py");
            ada.button("Save").click();
            assertThat(form.getByRole(AriaRole.ALERT).first())
                    .hasText("Two servers are called “github”.");
            notes.getByLabel("Name", exactly()).fill("notes");
            ada.button("Save").click();
            assertThat(form).hasCount(0);

            JsonNode made = server.getJson("/api/agents").at("/agents/0");
            assertThat(made.get("mcpServers"))
                    .isEqualTo(
                            Json.MAPPER.readTree(
                                    """
                                    {"github": {"type": "http", "url": "https://git.example.org/mcp",
                                                "headers": {"X-Team": "core"}, "credential": "github"},
                                     "notes": {"type": "stdio", "command": "python3", "args": ["notes.py"]}}
                                    """));
            assertThat(made.get("permissions").toString()).isEqualTo("{\"mcp:github:*\":\"ask\"}");
        }
    }

    private static Locator.GetByLabelOptions exactly() {
        return new Locator.GetByLabelOptions().setExact(true);
    }

    private String post(String body) throws Exception {
        return server.post("/api/agents", Json.MAPPER.readTree(body)).body();
    }
}
