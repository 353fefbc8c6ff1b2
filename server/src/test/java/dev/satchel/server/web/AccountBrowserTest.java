package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestBrowser;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountBrowserTest extends ScriptedPageTest {
    @Test
    void aResetByAnotherOwnerIsShownUntilItWasRead() throws Exception {
        Locator notice = ada.page().getByRole(AriaRole.STATUS);
        notice = notice.filter(new Locator.FilterOptions().setHasText("that signs in as you"));
        assertThat(notice).hasCount(0);
        try (HttpClient client = CheckedHttpClient.create()) {
            TestBrowser eve = new TestBrowser(server, client);
            String invitation =
                    server.post("/api/users", Map.of("name", "Eve", "role", "owner")).body();
            eve.open(Json.MAPPER.readTree(invitation).get("url").stringValue());
            eve.post("/api/users/owner/invitation?reset=true", Map.of());
        }

        ada.page().reload();
        assertThat(notice).containsText("Eve made a link on");
        notice.getByText("OK").click();
        assertThat(notice).hasCount(0);

        ada.page().reload();
        assertThat(ada.composer()).isVisible();
        assertThat(notice).hasCount(0);
    }
}
