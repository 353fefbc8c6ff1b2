package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More files at once than are attached without a question. */
class ManyFilesBrowserTest {
    private static final int FILES = 60;

    private TestServer server;
    private Visitor ada;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        server =
                TestServer.start(
                        TestConfiguration.withBags(
                                TestServer.configuration(data, null, null),
                                new BagLimits(10_000_000, 100, 20_000_000)),
                        Clock.systemUTC());
        ada = Visitor.of(server);
    }

    @AfterEach
    void stop() {
        ada.close();
        server.close();
    }

    @Test
    void aLargeFolderIsAttachedAfterAQuestionThatStays(@TempDir Path disk) throws Exception {
        Path folder = Files.createDirectories(disk.resolve("reports"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(folder.resolve(i + ".txt"), "x");
        }
        ada.page().clock().install();

        ada.drop(folder);
        assertThat(ada.page().getByText("Attach 60 files?")).isVisible();
        ada.page().clock().fastForward(60_000);
        assertThat(ada.page().getByText("Attach 60 files?")).isVisible();
        assertThat(chips().locator("li")).hasCount(0);
        ada.page().clock().resume();
        ada.button("Attach all").click();

        assertThat(chips().locator("li")).hasCount(1);
        assertThat(chips()).containsText("60 files, 60 B");
    }

    @Test
    void theirChipsTakeAtMostAThirdOfTheHeight() {
        FilePayload[] files =
                IntStream.range(0, FILES)
                        .mapToObj(i -> new FilePayload(i + ".txt", "text/plain", bytes()))
                        .toArray(FilePayload[]::new);
        ada.page().locator("input[type=file]").first().setInputFiles(files);
        ada.button("Attach all").click();

        assertThat(chips().locator("li")).hasCount(FILES);
        int window = ada.page().viewportSize().height;
        assertThat(chips().boundingBox().height).isLessThanOrEqualTo(window / 3.0);
        assertThat(ada.button("Send")).isInViewport();
        assertThat(ada.composer()).isInViewport();
    }

    private Locator chips() {
        return ada.page().getByLabel("Attached files");
    }

    private static byte[] bytes() {
        return "x".getBytes(StandardCharsets.UTF_8);
    }
}
