package dev.satchel.server.clients;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.testing.FreePort;
import dev.satchel.server.web.Chromium;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/guides/page-on-another-origin.md in a browser. Only the ports are others. */
@Timeout(300)
class OriginGuideTest {
    private static final String GUIDE = "page-on-another-origin.md";

    @TempDir private Path folder;
    private String origin;
    private @Nullable Process pages;

    @BeforeEach
    void findPort() {
        origin = "http://localhost:" + FreePort.find();
    }

    @AfterEach
    void stop() {
        if (pages != null) {
            pages.destroyForcibly().onExit().join();
        }
    }

    @Test
    void thePageUploadsAsksAndDownloads() throws Exception {
        try (ClientPrograms programs = ClientPrograms.start(origin);
                BrowserContext browser = Chromium.browser().newContext()) {
            servePages(programs);
            browser.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
            List<String> complaints = complaints(browser);
            Page page = browser.newPage();
            page.navigate(origin);
            page.getByLabel("Files").setInputFiles(file("notes.txt", "some notes"));
            page.getByLabel("Message").fill("Write a summary.");
            page.getByText("Send").click();

            assertThat(page.locator("#asks")).containsText("sh? ");
            assertThat(page.locator("#answer")).hasText("I clean up.");
            page.getByText("Allow").click();

            assertThat(page.locator("#answer")).hasText("Here is the summary.");
            Download download = page.waitForDownload(() -> page.getByText("summary.md").click());
            try (InputStream content = download.createReadStream()) {
                assertThat(content).hasContent("# Summary\n");
            }
            assertThat(complaints).isEmpty();
        }
    }

    @Test
    void aPageOfAnotherOriginIsRefused() throws Exception {
        try (ClientPrograms programs = ClientPrograms.start("http://localhost:1");
                BrowserContext browser = Chromium.browser().newContext()) {
            servePages(programs);
            browser.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
            Page page = browser.newPage();
            page.navigate(origin);
            String refused =
                    (String)
                            page.evaluate(
                                    """
                                    async () => {
                                      const { Satchel } = await import('satchel-client');
                                      const client = new Satchel({ url: '%s', key: 'none' });
                                      return client.chats.list().catch((failure) => failure.name);
                                    }
                                    """
                                            .formatted(programs.server().url("")));
            assertThat(refused).isEqualTo("ConnectionLost");
        }
    }

    /** As the guide says, with the client installed as npm does it. */
    private void servePages(ClientPrograms programs) throws Exception {
        Path modules = Files.createDirectories(folder.resolve("node_modules"));
        Files.createSymbolicLink(modules.resolve("satchel-client"), ClientPrograms.typescript());
        Files.writeString(folder.resolve("index.html"), programs.blocks(GUIDE, "html").getFirst());
        Files.writeString(folder.resolve("page.js"), programs.blocks(GUIDE, "js").getFirst());
        Files.writeString(
                folder.resolve("page-server.mjs"),
                programs.blocks(GUIDE, "mjs")
                        .getFirst()
                        .replace("3000", origin.substring(origin.lastIndexOf(':') + 1)));
        Process started =
                programs.process(folder, Map.of(), "node", "page-server.mjs")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        pages = started;
        assertThat(started.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo(origin);
    }

    private static List<String> complaints(BrowserContext browser) {
        List<String> complaints = new ArrayList<>();
        browser.onConsoleMessage(
                message -> {
                    if (message.type().equals("error")) {
                        complaints.add(message.text());
                    }
                });
        browser.onWebError(error -> complaints.add(error.error()));
        return complaints;
    }

    private static FilePayload file(String name, String content) {
        return new FilePayload(name, "text/plain", content.getBytes(StandardCharsets.UTF_8));
    }
}
