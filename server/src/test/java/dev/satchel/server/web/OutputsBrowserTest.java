package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What a run hands over and what it cannot, in the thread. */
class OutputsBrowserTest extends WholePageTest {
    @Test
    void filesThatAreNotHandedOverAreNamedAndComeFromTheWorkspace() throws Exception {
        ada.say(
                "/sh mkdir -p assets/charts; echo 1 > assets/charts/a.txt; head -c 10000001"
                        + " /dev/zero > assets/big.bin");
        ada.awaitEndOfTurn();
        assertThat(ada.page().locator(".chip-name")).hasText("charts/a.txt");
        Locator left = ada.page().locator(".left-behind");
        assertThat(left).containsText("1 file not handed over");
        assertThat(left).containsText("the file is larger than the limit of 10000000 bytes");

        ada.page().reload();
        Download download =
                ada.page().waitForDownload(() -> left.getByText("assets/big.bin").click());
        assertThat(Files.size(download.path())).isEqualTo(10_000_001);

        ada.button("Files").click();
        Locator inPanel = ada.page().getByLabel("Files").locator(".left-behind");
        assertThat(inPanel).containsText("assets/big.bin");
        assertThat(inPanel).containsText("larger than the limit");
    }
}
