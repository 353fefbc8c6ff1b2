package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AttachmentBrowserTest extends ScriptedPageTest {
    private static final String DRAG =
            """
            type => {
              const data = new DataTransfer();
              data.items.add(new File(['dropped'], 'dropped.txt', {type: 'text/plain'}));
              document.body.dispatchEvent(
                new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
            }
            """;

    private static final String PASTE =
            """
            field => {
              const pixel = Uint8Array.from(atob(
                'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
              ), c => c.charCodeAt(0));
              const data = new DataTransfer();
              data.items.add(new File([pixel], 'image.png', {type: 'image/png'}));
              field.dispatchEvent(new ClipboardEvent('paste',
                {clipboardData: data, bubbles: true, cancelable: true}));
            }
            """;

    /** Notes every value that the bar of the first upload shows. */
    private static final String WATCH_BAR =
            """
            () => {
              window.seen = [];
              new MutationObserver(() => {
                const bar = document.querySelector('[role=progressbar]');
                if (bar) window.seen.push(Number(bar.getAttribute('aria-valuenow')));
              }).observe(document.body, {subtree: true, childList: true, attributes: true});
            }
            """;

    @Test
    void filesCanBeDroppedAnywhereAndAnOverlaySaysSo() {
        ada.page().evaluate(DRAG, "dragenter");
        assertThat(ada.text("Drop files to attach them")).isVisible();
        ada.page().evaluate(DRAG, "dragleave");
        assertThat(ada.text("Drop files to attach them")).isHidden();

        ada.page().evaluate(DRAG, "dragenter");
        ada.page().evaluate(DRAG, "drop");

        assertThat(ada.text("Drop files to attach them")).isHidden();
        assertThat(ada.text("dropped.txt")).isVisible();
        assertThat(ada.text("7 B")).isVisible();
    }

    @Test
    void aPastedPictureGetsANameAndAThumbnail() {
        ada.composer().evaluate(PASTE);

        Locator chip = ada.page().locator(".chip.done");
        assertThat(chip).containsText(Pattern.compile("pasted-\\d{4}-.*-1\\.png"));
        assertThat(chip.locator("img")).isVisible();
    }

    @Test
    void theBarOfAnUploadMoves() {
        ada.slowUploads(3_000_000);
        ada.page().evaluate(WATCH_BAR);
        attach("big.bin", 8_000_000);

        assertThat(ada.page().locator(".chip.done")).containsText("big.bin");
        @SuppressWarnings("unchecked")
        List<Integer> seen = (List<Integer>) ada.page().evaluate("window.seen");
        assertThat(seen.stream().distinct().toList()).hasSizeGreaterThan(2).isSorted();
    }

    /** The first file is large and slow, so the second would arrive before it. */
    @Test
    void filesWithTheSameNameKeepTheirOrder() throws Exception {
        ada.slowUploads(1_500_000);
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(
                        new FilePayload[] {
                            new FilePayload("same.txt", "text/plain", bytes(3_000_000)),
                            new FilePayload("Same.txt", "text/plain", bytes(900_000)),
                            new FilePayload("same.txt", "text/plain", bytes(7))
                        });

        Locator done = ada.page().locator(".chip.done .chip-name");
        assertThat(done).hasText(new String[] {"same.txt", "Same-1.txt", "same-2.txt"});
        assertThat(ada.page().locator(".chip.done .chip-size"))
                .hasText(new String[] {"3 MB", "900 KB", "7 B"});
    }

    @Test
    void anUploadThatIsTakenBackLeavesNoFile() throws Exception {
        ada.slowUploads(500_000);
        attach("big.bin", 8_000_000);
        assertThat(ada.page().getByRole(AriaRole.PROGRESSBAR)).isVisible();
        assertThat(ada.button("Send")).hasAttribute("title", "Waiting for uploads to finish.");

        ada.button("Remove big.bin").click();

        assertThat(ada.page().locator(".chip")).hasCount(0);
        assertThat(server.getJson(files()).get("files").isEmpty()).isTrue();
        ada.page().waitForCondition(() -> bytesWaiting() == 0);
    }

    @Test
    void aFileThatArrivedAndIsTakenBackIsDeleted() throws Exception {
        attach("small.txt", 10);
        assertThat(ada.page().locator(".chip.done")).isVisible();

        ada.page()
                .waitForResponse(
                        response -> response.request().method().equals("DELETE"),
                        () -> ada.button("Remove small.txt").click());

        assertThat(server.getJson(files()).get("files").isEmpty()).isTrue();
    }

    @Test
    void aFileOverTheLimitIsRefusedBeforeItIsSent() {
        attach("huge.bin", 10_000_001);

        assertThat(ada.page().locator(".chip.failed")).containsText("over the limit of 10 MB");
        assertThat(ada.page()).hasURL(Pattern.compile(".*/$")); // no chat was made for it
    }

    @Test
    void aNameThatIsTakenGetsANumberForAllToSee() {
        attach("same.txt", 3);
        assertThat(ada.page().locator(".chip.done")).hasCount(1);
        attach("same.txt", 3);

        assertThat(ada.text("same-1.txt")).isVisible();
    }

    @Test
    void whatIsAttachedGoesWithTheMessageAndIsShownWithIt() throws Exception {
        attach("notes.txt", 20);
        assertThat(ada.page().locator(".chip.done")).isVisible();
        ada.say("read this");
        sandbox.next().answers("done");

        assertThat(ada.messages().first()).containsText("notes.txt");
        assertThat(ada.page().locator(".composer .chip")).hasCount(0);
        ada.messages().first().locator(".chip").click();
        assertThat(ada.page().locator("dialog.preview")).containsText("xxxxxxxxxx");
    }

    private long bytesWaiting() {
        try {
            return server.getJson("/api/storage").at("/uploads/bytes").longValue();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String files() {
        return "/api/assistant/chats/" + ada.chatId() + "/files";
    }

    private void attach(String name, int size) {
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(new FilePayload(name, "text/plain", bytes(size)));
    }

    private static byte[] bytes(int size) {
        return "x".repeat(size).getBytes(StandardCharsets.UTF_8);
    }
}
