package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.protocol.Json;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Takes the pictures of {@code docs/images} in a real browser, so that they can be taken again
 * whenever the page has changed; {@code docs/PAGE.md} says how to run it. The agent is a script.
 */
public final class Screenshots {
    private static final String SALES =
            "region,quarter,revenue\n"
                    + "North,Q1,18200\n"
                    + "North,Q2,20150\n"
                    + "South,Q1,14900\n"
                    + "South,Q2,22480\n"
                    + "West,Q1,9800\n"
                    + "West,Q2,11230\n";
    private static final String TOTALS = "region,revenue\nNorth,38350\nSouth,37380\nWest,21030\n";
    private static final String ANSWER =
            """
            **North** sold most over the half-year, and **South** grew fastest: 51 % from Q1 to Q2.

            | Region | Q1 | Q2 | Growth |
            |---|--:|--:|--:|
            | North | 18,200 | 20,150 | 11 % |
            | South | 14,900 | 22,480 | 51 % |
            | West | 9,800 | 11,230 | 15 % |

            The totals are in `totals.csv`; `summary.py` makes them again.
            """;

    private final Path folder;
    private final Path workspaces;
    private final ScriptedSandbox sandbox;
    private final TestServer server;

    private Screenshots(Path folder, Path data) throws Exception {
        this.folder = folder;
        this.workspaces = Files.createDirectories(data.resolve("shared/workspaces"));
        this.sandbox = new ScriptedSandbox();
        Configuration plain = TestServer.configuration(data, null, sandbox.url());
        this.server =
                TestServer.start(
                        new Configuration(
                                plain.network(),
                                plain.storage(),
                                TestConfiguration.remote(sandbox.url(), workspaces),
                                plain.runs(),
                                new BagLimits(104_857_600, 200, 1_073_741_824),
                                plain.ages()),
                        Clock.systemUTC());
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        try {
            first(folder);
            new Screenshots(folder, Files.createTempDirectory("satchel-pictures-")).all();
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // the browser's own threads go on
    }

    private void all() throws Exception {
        String chat = conversations();
        answer(chat);
        phone(chat);
        others(chat);
        trace(chat);
        running();
        animation();
    }

    private void trace(String chat) throws Exception {
        try (Visitor ada = visitor(server, 1360, 860, ColorScheme.DARK)) {
            ada.open("/chats/" + chat);
            ada.openTrace();
            ada.page().getByText("Took").first().waitFor();
            take(ada.page(), folder, "trace-dark");
        }
    }

    private static void first(Path folder) throws Exception {
        Path data = Files.createTempDirectory("satchel-pictures-");
        try (TestServer server = TestServer.startWhole(data);
                Visitor ada = visitor(server, 1360, 860, ColorScheme.LIGHT)) {
            ada.page().getByText("No model is configured.").waitFor();
            take(ada.page(), folder, "start");
        }
    }

    private String conversations() throws Exception {
        for (String said : List.of("Rename the photos by date", "Check the invoices for doubles")) {
            try (TestServer.Events events = server.turn(Map.of("message", said))) {
                sandbox.next().stepStarts("a", "sh").stepSucceeds("a", "sh").answers("Done.");
                events.rest();
            }
        }
        String chat = server.newChat();
        String file = server.upload(chat, "sales-2026.csv", SALES).get("id").stringValue();
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
            write(chat, "sales-2026.csv", SALES);
            step(run, "a", "view", Map.of("path", "sales-2026.csv"), 38);
            step(run, "b", "write", Map.of("path", "src/summary.py"), 12);
            step(
                    run,
                    "c",
                    "sh",
                    Map.of("command", "python3 src/summary.py > assets/totals.csv"),
                    412);
            write(chat, "src/summary.py", "import csv\n");
            write(chat, "assets/totals.csv", TOTALS);
            calls.handIn(
                    run.dispatch(),
                    new MultipartBody()
                            .file("totals.csv", TOTALS)
                            .file("summary.py", "import csv\n"));
            run.answers(ANSWER);
            events.rest();
        }
        return chat;
    }

    private void answer(String chat) throws Exception {
        try (Visitor ada = visitor(server, 1360, 860, ColorScheme.LIGHT)) {
            ada.open("/chats/" + chat);
            assertThat(ada.page().locator(".markdown table")).isVisible();
            ada.page().locator(".steps-summary").click();
            ada.button("Files").click();
            ada.page().getByText("summary.py").first().waitFor();
            ada.page().locator(".tree li").first().click();
            take(ada.page(), folder, "answer");
            ada.messages().nth(1).locator(".chip").first().click();
            assertThat(ada.page().locator("dialog th").first()).isVisible();
            take(ada.page(), folder, "preview");
        }
    }

    private void phone(String chat) throws Exception {
        try (Visitor ada = visitor(server, 390, 800, ColorScheme.LIGHT)) {
            ada.open("/chats/" + chat);
            assertThat(ada.page().locator(".markdown table")).isVisible();
            take(ada.page(), folder, "phone");
        }
    }

    private void others(String chat) throws Exception {
        try (Visitor ada = visitor(server, 1360, 860, ColorScheme.LIGHT)) {
            server.upload(chat, "photos.zip", "x".repeat(3_200_000));
            ada.open("/storage");
            ada.page().locator(".storage-total").waitFor();
            take(ada.page(), folder, "storage");
            ada.open("/");
            ada.composer().fill("What is in these recordings?");
            ada.slowUploads(2_000_000);
            ada.page()
                    .locator("input[type=file]")
                    .setInputFiles(
                            new FilePayload[] {
                                new FilePayload("notes.md", "text/markdown", new byte[2_400]),
                                new FilePayload("interview.wav", "audio/wav", new byte[12_000_000])
                            });
            ada.page()
                    .waitForFunction(
                            "() => document.querySelector('.uploading"
                                    + " [role=progressbar][aria-label$=wav]')?.ariaValueNow > 30");
            take(ada.page(), folder, "upload");
        }
    }

    private void running() throws Exception {
        try (Visitor ada = visitor(server, 1360, 860, ColorScheme.DARK)) {
            ada.say("Make a chart of the monthly revenue and tell me what stands out");
            RunOnStage run = sandbox.next();
            step(run, "a", "view", Map.of("path", "revenue.csv"), 31);
            run.say(
                    "{\"type\":\"delta\",\"text\":\"Twelve months, no gaps. I plot them and mark"
                            + " what is unusual.\"}");
            step(run, "b", "write", Map.of("path", "plot.py"), 9);
            say(
                    run,
                    "c",
                    "sh",
                    "running",
                    Map.of("args", Map.of("command", "python3 plot.py --out assets/revenue.png")));
            assertThat(ada.steps()).hasCount(3);
            take(ada.page(), folder, "running-dark");
            run.answers("done");
        }
    }

    /** A short turn from the question to the answer. */
    private void animation() throws Exception {
        try (Visitor ada = visitor(server, 900, 600, ColorScheme.LIGHT);
                AnimatedGif gif = new AnimatedGif(folder.resolve("turn.gif"))) {
            Page page = ada.page();
            ada.composer().fill("Which region sold most, and which one grows fastest?");
            gif.add(page.screenshot(), 900);
            ada.composer().press("Enter");
            RunOnStage run = sandbox.next();
            step(run, "a", "view", Map.of("path", "sales-2026.csv"), 38);
            assertThat(ada.steps()).hasCount(1);
            gif.add(page.screenshot(), 700);
            Map<String, ?> command = Map.of("command", "python3 src/summary.py");
            say(run, "b", "sh", "running", Map.of("args", command));
            assertThat(ada.steps()).hasCount(2);
            gif.add(page.screenshot(), 700);
            for (String line : List.of("reading sales-2026.csv", "6 rows, 3 regions")) {
                run.say(
                        "{\"type\":\"output\",\"id\":\"b\",\"stream\":\"stdout\",\"text\":\"%s\\n\"}"
                                .formatted(line));
                assertThat(page.locator(".terminal")).containsText(line);
                gif.add(page.screenshot(), 600);
            }
            say(run, "b", "sh", "succeeded", Map.of("durationMs", 412));
            assertThat(page.locator(".terminal")).isHidden();
            String[] words = ANSWER.split("(?<=\\n\\n)|(?<=\\*\\* )", -1);
            for (String part : words) {
                run.say(Json.MAPPER.writeValueAsString(Map.of("type", "delta", "text", part)));
                String said = part.replaceAll("[*|`#\\n-]", " ").strip().split("[ ,.;]", 2)[0];
                assertThat(page.locator(".markdown")).containsText(said);
                gif.add(page.screenshot(), 350);
            }
            run.answers(ANSWER);
            ada.awaitEndOfTurn();
            gif.add(page.screenshot(), 3_000);
        }
    }

    private void write(String chat, String path, String content) throws Exception {
        Path file = workspaces.resolve(chat).resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content, StandardCharsets.UTF_8);
    }

    private static void step(
            RunOnStage run, String id, String name, Map<String, ?> arguments, int millis) {
        say(run, id, name, "running", Map.of("args", arguments));
        say(run, id, name, "succeeded", Map.of("durationMs", millis));
    }

    private static void say(
            RunOnStage run, String id, String name, String status, Map<String, ?> more) {
        Map<String, Object> line = new java.util.LinkedHashMap<>();
        line.put("type", "step");
        line.put("id", id);
        line.put("name", name);
        line.put("status", status);
        line.put("ts", System.currentTimeMillis());
        line.putAll(more);
        run.say(Json.MAPPER.writeValueAsString(line));
    }

    private static Visitor visitor(TestServer server, int width, int height, ColorScheme scheme)
            throws Exception {
        return Visitor.at(
                server,
                server.url(""),
                new Browser.NewContextOptions()
                        .setViewportSize(width, height)
                        .setColorScheme(scheme)
                        .setLocale("en-GB"));
    }

    private static void take(Page page, Path folder, String name) {
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setPath(folder.resolve(name + ".png"))
                        .setAnimations(
                                com.microsoft.playwright.options.ScreenshotAnimations.DISABLED));
    }
}
