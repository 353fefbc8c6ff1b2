package dev.satchel.server.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotAnimations;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Takes a picture of each state of the page at four widths, light and dark, to be looked at before
 * a change of the page is pushed; {@code docs/PAGE.md} says how to run it. The agent is a script.
 */
public final class PageStates {
    private static final List<Integer> WIDTHS = List.of(1440, 1280, 820, 390);

    private static final String LONG_ANSWER =
            """
            # What the numbers say

            **North** leads, *South* grows fastest, ~~West~~ waits. See [totals](assets/totals.csv) and `summary.py`.

            - [x] read the file
            - [ ] ask about the missing week
              - nested, with `code`

            | Region | Q1 | Q2 | Growth | What stands out in this quarter |
            |---|--:|--:|--:|---|
            | North | 18,200 | 20,150 | 11 % | the largest single order came in the last week of June |
            | South | 14,900 | 22,480 | 51 % | two new customers |

            ![The plot](assets/plot.svg)

            > A quote of the report,
            > over two lines.

            Growth is \\(g = \\frac{b - a}{a}\\), and over all regions

            $$\\bar g = \\frac{1}{n} \\sum_{i=1}^{n} \\frac{b_i - a_i}{a_i}$$

            ```python
            def growth(a: float, b: float) -> float:
                \"\"\"The growth from a to b.\"\"\"
                return (b - a) / a  # a is never zero here, because empty quarters were left out before this
            ```

            ```mermaid
            flowchart LR
              A[sales.csv] --> B{Complete?}
              B -->|yes| C[Totals]
              B -->|no| D[Ask]
              D --> A
            ```

            هذا ملخص للأرقام. 以下是数字摘要。

            1. first
            2. second
            """;

    private static final String PLOT =
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="600" height="240"><rect width="600" height="240" fill="#fff"/>\
            <path d="M20 200 L150 150 L300 170 L450 80 L580 40" fill="none" stroke="#a34d14" stroke-width="4"/></svg>""";

    private final Path folder;
    private final ScriptedSandbox sandbox = new ScriptedSandbox();
    private final TestServer server = TestServer.start(sandbox.url());

    private PageStates(Path folder) throws Exception {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        try {
            new PageStates(Files.createDirectories(Path.of(arguments[0]))).all();
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // the browser's own threads go on
    }

    private void all() throws Exception {
        turn(server.newChat(), "Rename the photos by date");
        turn(server.newChat(), "Check the invoices for doubles, and say which ones are paid twice");
        String chat = server.newChat();
        answer(chat);
        String waiting = server.newChat();
        RunOnStage run = running(waiting);
        for (int width : WIDTHS) {
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                look(width, scheme, chat, waiting);
            }
        }
        run.answers("done");
    }

    private void turn(String chat, String message) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", message))) {
            sandbox.next().stepStarts("a", "sh").stepSucceeds("a", "sh").answers("Done.");
            events.rest();
        }
    }

    private void answer(String chat) throws Exception {
        String file = server.upload(chat, "sales.csv", "a,b\n1,2\n").get("id").stringValue();
        Map<String, ?> turn =
                Map.of(
                        "chatId",
                        chat,
                        "message",
                        "Which region sold most, and which one grows fastest?",
                        "attachmentIds",
                        List.of(file));
        try (TestServer.Events events = server.turn(turn);
                SandboxCalls calls = new SandboxCalls()) {
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"thinking\",\"text\":\"They want a comparison of the regions.\"}");
            for (int i = 0; i < 9; i++) {
                String path = "data/part-" + i + ".csv";
                step(run, "s" + i, "view", "running", Map.of("args", Map.of("path", path)));
                step(run, "s" + i, "view", "succeeded", Map.of("durationMs", 38 + i));
            }
            step(run, "f", "sh", "running", Map.of("args", Map.of("command", "python3 sum.py")));
            String error = "Traceback\nModuleNotFoundError: No module named 'pandas'";
            step(run, "f", "sh", "failed", Map.of("durationMs", 412, "error", error));
            MultipartBody files =
                    new MultipartBody()
                            .file("plot.svg", PLOT)
                            .file("totals.csv", "region,revenue\nNorth,38350\nSouth,37380\n")
                            .file("page.html", "<h1>Report</h1><p>All regions</p>")
                            .file("summary.py", "import csv\n");
            for (int i = 0; i < 12; i++) {
                files.file("part-" + i + ".txt", "part " + i);
            }
            calls.handIn(run.dispatch(), files);
            run.answers(LONG_ANSWER);
            events.rest();
        }
    }

    /** A turn that goes on while the pictures are taken. */
    private RunOnStage running(String chat) throws Exception {
        TestServer.Events _ =
                server.turn(Map.of("chatId", chat, "message", "Make a chart of the revenue"));
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"thinking\",\"text\":\"Twelve months. A line chart fits.\"}");
        step(run, "a", "view", "running", Map.of("args", Map.of("path", "revenue.csv")));
        step(run, "a", "view", "succeeded", Map.of("durationMs", 31));
        run.say("{\"type\":\"delta\",\"text\":\"I plot them and mark what is unusual.\"}");
        step(run, "c", "sh", "running", Map.of("args", Map.of("command", "python3 plot.py")));
        run.say(
                "{\"type\":\"output\",\"id\":\"c\",\"stream\":\"stdout\",\"text\":\"reading"
                        + " revenue.csv\\n\\u001b[32mok\\u001b[0m 12 rows\\n\"}");
        return run;
    }

    private static void step(
            RunOnStage run, String id, String name, String status, Map<String, ?> more) {
        Map<String, Object> line = new java.util.LinkedHashMap<>(more);
        line.putAll(Map.of("type", "step", "id", id, "name", name, "status", status));
        run.say(Json.MAPPER.writeValueAsString(line));
    }

    private void look(int width, ColorScheme scheme, String chat, String waiting) throws Exception {
        Browser.NewContextOptions options =
                new Browser.NewContextOptions()
                        .setViewportSize(width, width < 500 ? 800 : 900)
                        .setColorScheme(scheme);
        String suffix = "-" + width + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT);
        try (Visitor ada = Visitor.at(server, server.url(""), options)) {
            take(ada.page(), "start" + suffix);
            ada.open("/chats/" + chat);
            ada.page().locator(".diagram").waitFor();
            ada.page().locator(".katex").first().waitFor();
            take(ada.page(), "answer" + suffix);
            scrollTo(ada.page(), "[data-math=display]");
            take(ada.page(), "formulas" + suffix);
            scrollTo(ada.page(), "h1");
            take(ada.page(), "answer-begin" + suffix);
            ada.page().locator(".steps-summary").first().click();
            scrollTo(ada.page(), ".step.failed");
            take(ada.page(), "steps" + suffix);
            ada.page().locator(".chip", new Page.LocatorOptions().setHasText("page.html")).click();
            ada.page().frameLocator(".preview iframe").locator("h1").waitFor();
            take(ada.page(), "preview" + suffix);
            ada.page().keyboard().press("Escape");
            ada.button("Files").click();
            ada.text("Workspace").waitFor();
            take(ada.page(), "files" + suffix);
            ada.open("/chats/" + waiting);
            ada.page().locator(".terminal").waitFor();
            ada.composer().fill("and mark the outliers");
            take(ada.page(), "running" + suffix);
            for (String page : List.of("settings", "agents", "storage", "usage", "assets")) {
                ada.open("/" + page);
                ada.page().locator("h1").waitFor();
                ada.page().waitForLoadState(com.microsoft.playwright.options.LoadState.NETWORKIDLE);
                take(ada.page(), page + suffix);
            }
        }
    }

    private static void scrollTo(Page page, String selector) {
        page.locator(selector).first().evaluate("it => it.scrollIntoView({block: 'center'})");
    }

    private void take(Page page, String name) {
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setPath(folder.resolve(name + ".png"))
                        .setAnimations(ScreenshotAnimations.DISABLED));
    }
}
