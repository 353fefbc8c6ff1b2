package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** With a real runner and its real sandbox behind the page. */
class WholeSystemBrowserTest extends WholePageTest {
    @Test
    void withoutAModelThePageSaysWhatWorksAndOffersExamples() {
        assertThat(ada.page().getByText("No model is configured.")).isVisible();
        ada.page().getByText("Look around").click();
        assertThat(ada.composer()).hasValue(Pattern.compile("^/sh uname.*"));

        ada.composer().press("Enter");

        assertThat(ada.messages().nth(1)).containsText("Linux");
        ada.open("/settings");
        assertThat(ada.text("/grep PATTERN [PATH]")).isVisible();
    }

    @Test
    void aFileThatTheRunMadeIsAChipWithAPreview() {
        ada.say(
                "/sh mkdir -p assets; printf 'month,value\\n"
                        + "Jan,1\\n"
                        + "Feb,\"2,5\"\\n"
                        + "' > assets/result.csv");

        Locator chip = ada.messages().nth(1).locator(".chip");
        assertThat(chip).containsText("result.csv");
        chip.click();
        Locator preview = ada.page().locator("dialog.preview");
        assertThat(preview.locator("th").first()).hasText("month");
        assertThat(preview).containsText("2,5");
        assertThat(preview).containsText("2 rows, 2 columns");
        ada.page().keyboard().press("Escape");
        assertThat(preview).isHidden();
    }

    @Test
    void anAgentIsSavedAndRun() {
        ada.open("/agents");
        ada.button("New agent").click();
        ada.page().getByLabel("Name").fill("Greeter");
        ada.button("Save").click();
        ada.page().getByLabel("Prompt for Greeter").fill("/sh echo hello from $((40 + 2))");
        ada.button("Run").click();

        assertThat(ada.page().locator(".answer")).containsText("hello from 42");
    }

    @Test
    void anAssetIsKeptFoundAndDeleted() {
        ada.open("/assets");
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(
                        new FilePayload("price-list.txt", "text/plain", new byte[] {65, 66}));
        assertThat(ada.text("price-list.txt")).isVisible();
        ada.page().getByPlaceholder("Search assets").fill("nothing like it");
        assertThat(ada.text("price-list.txt")).isHidden();
        ada.page().getByPlaceholder("Search assets").fill("price");
        assertThat(ada.text("price-list.txt")).isVisible();

        ada.button("Delete price-list.txt").click();

        assertThat(ada.text("price-list.txt")).isHidden();
        assertThat(ada.complaints()).isEmpty();
    }
}
