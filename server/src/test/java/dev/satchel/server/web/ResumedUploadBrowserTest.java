package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import dev.satchel.http.security.Sha256;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Uploads that stop in the middle and go on from there, whatever stopped them. */
class ResumedUploadBrowserTest {
    private static final int BYTES = 6_000_000;
    private static final int SLOW = 600_000;
    private static final int QUICK = 60_000_000;

    @TempDir private Path folder;
    private final List<Long> offsets = new CopyOnWriteArrayList<>();
    private Path big;
    private TestServer server;
    private CuttableProxy proxy;
    private Visitor ada;

    @BeforeEach
    void open() throws Exception {
        byte[] content = new byte[BYTES];
        new Random(7).nextBytes(content);
        big = Files.write(folder.resolve("big.bin"), content);
        server = TestServer.start(null);
        proxy = new CuttableProxy(server.url(""));
        ada = Visitor.at(server, proxy.url(), new Browser.NewContextOptions());
        ada.context()
                .onRequest(
                        request -> {
                            if (request.method().equals("PATCH")) {
                                offsets.add(Long.valueOf(request.headers().get("upload-offset")));
                            }
                        });
        ada.slowUploads(SLOW);
    }

    @AfterEach
    void close() throws Exception {
        ada.close();
        proxy.close();
        server.close();
    }

    @Test
    void aPausedUploadStaysWhereItIsAndResumesFromThere() throws Exception {
        choose();
        awaitSomeProgress();

        ada.button("Pause big.bin").click();

        assertThat(chip("paused")).containsText(Pattern.compile("Paused at [1-9]\\d? %"));
        assertThat(ada.button("Send")).hasAttribute("title", "Resume or remove the paused file.");
        ada.slowUploads(QUICK);
        ada.button("Resume big.bin").click();
        assertArrivedWithoutBeginningAnew();
    }

    @Test
    void anUploadThatLosesItsConnectionSaysSoAndGoesOnByItself() throws Exception {
        choose();
        awaitSomeProgress();

        proxy.cut();
        assertThat(chip("interrupted")).containsText(Pattern.compile("Paused at .* network"));
        ada.slowUploads(QUICK);
        proxy.mend();

        assertArrivedWithoutBeginningAnew();
    }

    @Test
    void anUploadThatGoesOfflineGoesOnOnceTheNetworkIsBack() throws Exception {
        choose();
        awaitSomeProgress();

        ada.context().setOffline(true);
        assertThat(chip("interrupted")).containsText("waiting for the network");
        ada.context().setOffline(false);

        assertArrivedWithoutBeginningAnew();
    }

    @Test
    void afterAReloadTheSameFileChosenAgainGoesOnWhereItStopped() throws Exception {
        choose();
        awaitSomeProgress();
        ada.chatId();

        ada.page().reload();

        // the server may still be storing what has arrived when the page asks how much that is
        assertThat(chip("stopped")).containsText(Pattern.compile("Stopped at \\d\\d? %"));
        assertThat(ada.button("Choose again big.bin")).isVisible();
        ada.slowUploads(QUICK);
        choose();
        assertArrivedWithoutBeginningAnew();
        ada.page().reload();
        assertThat(chip("done")).hasCount(1);
        assertThat(ada.page().locator(".chip")).hasCount(1);
    }

    @Test
    void aHalfUploadThatIsRemovedLeavesNothingBehind() throws Exception {
        choose();
        awaitSomeProgress();
        ada.chatId();
        ada.page().reload();
        assertThat(chip("stopped")).isVisible();

        ada.page()
                .waitForResponse(
                        response -> response.request().method().equals("DELETE"),
                        () -> ada.button("Remove big.bin").click());

        assertThat(server.getJson("/api/storage").get("bytes").longValue()).isZero();
        ada.page().reload();
        assertThat(ada.composer()).isVisible();
        assertThat(ada.page().locator(".chip")).hasCount(0);
    }

    private void choose() {
        ada.page().locator("input[type=file]").setInputFiles(big);
    }

    private Locator chip(String status) {
        return ada.page().locator(".chip." + status);
    }

    private void awaitSomeProgress() {
        ada.page()
                .waitForFunction(
                        "() => document.querySelector('[role=progressbar]')?.ariaValueNow >= 10");
    }

    private void assertArrivedWithoutBeginningAnew() throws Exception {
        assertThat(chip("done")).containsText("big.bin");
        JsonNode files =
                server.getJson("/api/assistant/chats/" + ada.chatId() + "/files").get("files");
        assertThat(files.size()).isEqualTo(1);
        assertThat(files.at("/0/sha256").stringValue()).isEqualTo(sha256());
        assertThat(offsets).hasSizeGreaterThan(1);
        assertThat(offsets.getLast()).isBetween(1L, BYTES - 1L); // the one that brought the rest
    }

    private String sha256() throws Exception {
        return Sha256.hex(Files.readAllBytes(big));
    }
}
