package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** A person shares a chat on the page, and somebody without a login opens the link. */
class ShareBrowserTest extends ScriptedPageTest {
    @Test
    void aLinkIsMadeOpenedByAnybodyAndRevoked() throws Exception {
        ada.say("what is in the box?");
        sandbox.next().answers("a red ball");
        assertThat(ada.text("a red ball")).isVisible();

        ada.button("Share").click();
        Locator dialog = ada.page().getByRole(AriaRole.DIALOG);
        dialog.getByText("Create a link").click();
        String link = dialog.locator("input").inputValue();
        try (BrowserContext anybody = ada.page().context().browser().newContext()) {
            Page page = anybody.newPage();
            page.navigate(link);
            assertThat(page.getByText("what is in the box?").first()).isVisible();
            assertThat(page.getByText("a red ball")).isVisible();

            dialog.getByText("Revoke").click();
            assertThat(dialog.getByText("Revoke")).hasCount(0);
            page.reload();
            assertThat(page.getByText("This link does not work").first()).isVisible();
        }
    }
}
