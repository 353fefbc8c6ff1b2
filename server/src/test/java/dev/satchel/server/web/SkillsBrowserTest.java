package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.satchel.server.skill.TestSkills;
import dev.satchel.server.testing.ScriptedTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Skills on the page: their list, and the boxes in the form of an agent. */
class SkillsBrowserTest extends ScriptedTest {
    @TempDir Path files;

    @Test
    void aSkillIsUploadedChosenByAnAgentAndDeleted() throws Exception {
        Path archive =
                Files.write(
                        files.resolve("report.zip"),
                        TestSkills.zip(TestSkills.skill("report", "echo 1")));
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/skills");
            Page page = ada.page();
            Locator built =
                    page.getByLabel("make-chart", new Page.GetByLabelOptions().setExact(true));
            assertThat(built).containsText("Comes with Satchel");
            assertThat(built.getByLabel("Delete make-chart")).hasCount(0);

            page.locator("input[type=file]").setInputFiles(archive);
            Locator card = page.getByLabel("report", new Page.GetByLabelOptions().setExact(true));
            assertThat(card).containsText("Version 1");
            page.locator("input[type=file]").setInputFiles(archive);
            assertThat(card).containsText("Version 2");
            card.getByText("Instructions").click();
            assertThat(card).containsText("Do it.");
            assertThat(card).containsText("scripts/run.sh");

            Path junk = Files.writeString(files.resolve("junk.zip"), "junk");
            page.locator("input[type=file]").setInputFiles(junk);
            assertThat(page.getByText("not a readable zip, tar or tar.gz")).isVisible();

            ada.open("/agents");
            ada.button("New agent").click();
            page.locator("input[name=name]").fill("writer");
            page.getByLabel("report", new Page.GetByLabelOptions().setExact(true)).check();
            ada.button("Save").click();
            assertThat(page.locator("dialog[aria-label=Agent]")).hasCount(0);
            assertThat(server.getJson("/api/agents").at("/agents/0/skills").toString())
                    .isEqualTo("[\"report\"]");

            ada.open("/skills");
            card.getByLabel("Delete report").click();
            assertThat(page.getByText("used by the agents writer")).isVisible();
            String agent = server.getJson("/api/agents").at("/agents/0/id").stringValue();
            server.send("PUT", "/api/agents/" + agent, Map.of("name", "writer"));
            card.getByLabel("Delete report").click();
            assertThat(card).hasCount(0);
        }
    }
}
