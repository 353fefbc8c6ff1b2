package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.client.ClientJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Each command, run against a real server. */
@Timeout(180)
class CommandsTest {
    private static SatchelProcess satchel;

    @BeforeAll
    static void start() throws IOException {
        satchel = SatchelProcess.start();
    }

    @AfterAll
    static void stop() {
        satchel.close();
    }

    @Test
    void sendPrintsTheAnswerAndItsSteps() throws Exception {
        Path input = satchel.file("in.txt", "b\na\n");

        Outcome sent =
                satchel.run(
                        "send",
                        "/sh mkdir -p assets && sort in.txt > assets/out.txt && cat assets/out.txt",
                        "--attach",
                        input.toString(),
                        "--files-to",
                        "made");

        assertThat(sent.code()).as(sent.err()).isZero();
        assertThat(sent.out()).contains("a\nb\n");
        assertThat(sent.err()).contains("in.txt: 4 B, done", "- sh", "+ sh", "» out.txt  4 B");
        assertThat(satchel.home().resolve("made/out.txt")).hasContent("a\nb\n");
    }

    @Test
    void outputsKeepTheirFoldersAndWhatIsNotHandedOverIsNamed() throws Exception {
        Outcome sent =
                satchel.run(
                        "send",
                        "/sh mkdir -p assets/d; echo 1 > assets/d/a.txt; mkfifo assets/pipe",
                        "--files-to",
                        "folders");

        assertThat(sent.code()).as(sent.err()).isZero();
        assertThat(sent.err())
                .contains(
                        "» d/a.txt  2 B",
                        "! not handed over: assets/pipe  0 B  (this is not a regular file)");
        assertThat(satchel.home().resolve("folders/d/a.txt")).hasContent("1\n");
        assertThat(satchel.run("chats", "show", "last").out()).contains("! not handed over");
    }

    @Test
    void sendAsJsonPrintsEveryEventAsALine() throws Exception {
        List<String> lines = satchel.run("send", "--json", "/sh echo x").lines();

        assertThat(lines).allMatch(line -> line.startsWith("{\"type\":"));
        assertThat(lines.getFirst()).contains("\"chat\"");
        assertThat(lines.getLast()).isEqualTo("{\"type\":\"end\",\"status\":\"succeeded\"}");
    }

    @Test
    void sendReadsAMessageFromStandardInputAndContinuesAChat() throws Exception {
        String chat = satchel.run("chats", "new", "A thread").out().strip();
        Process process =
                satchel.start(
                        "send",
                        "-",
                        "--chat",
                        chat.substring(0, 8),
                        "--url",
                        satchel.url().toString(),
                        "--data",
                        satchel.data().toString());
        process.getOutputStream().write("/sh echo piped".getBytes(StandardCharsets.UTF_8));

        assertThat(SatchelProcess.finish(process).out()).contains("piped");
        Outcome shown = satchel.run("chats", "show", chat);
        assertThat(shown.out()).contains("── you", "/sh echo piped", "── agent", "✓ sh");
    }

    @Test
    void ctrlCCancelsTheRunAndEndsWith130() throws Exception {
        Process process =
                satchel.start(
                        "send",
                        "/sleep 600",
                        "--url",
                        satchel.url().toString(),
                        "--data",
                        satchel.data().toString());
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        assertThat(err.readLine()).startsWith("- sleep");

        SatchelProcess.signal(process, "INT");

        assertThat(process.waitFor()).isEqualTo(ExitCode.CANCELLED);
        assertThat(err.lines()).contains("satchel: Stopped on request. (cancelled)");
    }

    @Test
    void chatsAreListedRenamedDeletedAndRestored() throws Exception {
        String chat = satchel.run("chats", "new", "Before").out().strip();
        satchel.run("chats", "rename", chat, "After");

        assertThat(satchel.run("chats").out()).contains(chat, "After").doesNotContain("Before");
        assertThat(satchel.run("chats", "rm", chat).code()).isZero();
        assertThat(satchel.run("chats", "--json").out()).doesNotContain(chat);
        assertThat(satchel.run("chats", "restore", chat).code()).isZero();
        assertThat(satchel.run("chats", "cancel", chat).out()).contains("nothing was running");
    }

    @Test
    void workspaceFilesAreListedDownloadedUploadedZippedAndCompared() throws Exception {
        String chat = chatOf("/sh mkdir d && echo one > d/a.txt && echo gone > old.txt");
        satchel.run("send", "-c", chat, "/sh echo two > d/a.txt && rm old.txt && touch new.txt");

        assertThat(satchel.run("files", "ls", chat).out()).contains("d/a.txt", "new.txt");
        assertThat(satchel.run("files", "diff", chat).lines())
                .containsExactly("+ new.txt", "- old.txt", "~ d/a.txt");
        String before = satchel.run("files", "snapshots", chat, "--json").lines().getLast();
        String at = ClientJson.MAPPER.readTree(before).get("id").stringValue();
        assertThat(satchel.run("files", "get", chat, "d/a.txt", "-", "--at", at).out())
                .isEqualTo("one\n");
        satchel.run("files", "get", chat, "d/a.txt");
        assertThat(satchel.home().resolve("a.txt")).hasContent("two\n");

        Path mine = satchel.file("mine.txt", "mine");
        assertThat(satchel.run("files", "put", chat, mine.toString(), "d/mine.txt").out())
                .isEqualTo("d/mine.txt\n");
        satchel.run("files", "rm", chat, "new.txt");
        satchel.run("files", "zip", chat, "all.zip");
        try (ZipFile zip = new ZipFile(satchel.home().resolve("all.zip").toFile())) {
            assertThat(zip.getEntry("d/mine.txt")).isNotNull();
            assertThat(zip.getEntry("new.txt")).isNull();
        }
        assertThat(satchel.run("files", "restore", chat).out()).contains("nothing was changed");
    }

    @Test
    void aWorkspaceGoesBackToASnapshotAndForthAgain() throws Exception {
        String chat = chatOf("/sh echo one > a.txt");
        satchel.run("send", "-c", chat, "/sh echo two > a.txt && touch new.txt");
        String before = satchel.run("files", "snapshots", chat, "--json").lines().getLast();
        String at = ClientJson.MAPPER.readTree(before).get("id").stringValue();

        assertThat(satchel.run("files", "diff", chat, "a.txt").lines())
                .containsExactly("@@ -1 +1 @@", "-one", "+two");
        assertThat(satchel.run("files", "restore", chat, at, "--dry-run").lines())
                .containsExactly("- new.txt", "~ a.txt");
        List<String> restored = satchel.run("files", "restore", chat, at).lines();
        assertThat(restored).startsWith("- new.txt", "~ a.txt").hasSize(3);
        assertThat(satchel.run("files", "get", chat, "a.txt", "-").out()).isEqualTo("one\n");

        String undo = restored.getLast().substring("undo with the snapshot ".length());
        assertThat(satchel.run("files", "restore", chat, undo, "a.txt").lines())
                .startsWith("~ a.txt");
        assertThat(satchel.run("files", "get", chat, "a.txt", "-").out()).isEqualTo("two\n");
        assertThat(satchel.run("files", "ls", chat).out()).doesNotContain("new.txt");
    }

    @Test
    void theTextOfADocumentIsPrintedByItsParts() throws Exception {
        String chat = satchel.run("chats", "new").out().strip();
        String html = "<title>Year</title><h1>One</h1><p>first</p><h1>Two</h1><p>second</p>";
        Path page = satchel.file("page.html", html);
        satchel.run("files", "put", chat, page.toString());
        satchel.run("files", "put", chat, satchel.file("a.txt", "plain\n").toString());
        satchel.run("files", "put", chat, satchel.file("a.pdf", "%PDF-1.7 broken").toString());

        assertThat(satchel.run("files", "text", chat, "page.html").lines())
                .containsSubsequence("# One", "first", "# Two", "second");
        assertThat(satchel.run("files", "text", chat, "page.html", "--page", "2").lines())
                .contains("second")
                .doesNotContain("first");
        assertThat(satchel.run("files", "text", chat, "a.txt").out()).isEqualTo("plain\n");
        Outcome broken = satchel.run("files", "text", chat, "a.pdf");
        assertThat(broken.code()).isEqualTo(ExitCode.FAILED);
        assertThat(broken.err()).contains("a.pdf: ", "damaged");
        assertThat(satchel.run("files", "text", chat, "none.txt").code())
                .isEqualTo(ExitCode.NOT_FOUND);
        String json = satchel.run("files", "text", chat, "page.html", "--json").out();
        assertThat(ClientJson.MAPPER.readTree(json).get("title").stringValue()).isEqualTo("Year");
    }

    @Test
    void chatFilesAreUploadedAndDownloaded() throws Exception {
        String chat = satchel.run("chats", "new").out().strip();
        Path one = satchel.file("one.txt", "one");
        Path two = satchel.file("two.txt", "two");

        assertThat(satchel.run("bag", "put", chat, one.toString(), two.toString()).out())
                .contains("one.txt", "two.txt");
        assertThat(satchel.run("bag", "get", chat, "one.txt", "-").out()).isEqualTo("one");
        satchel.run("bag", "zip", chat, "bag.zip");
        assertThat(satchel.home().resolve("bag.zip")).isNotEmptyFile();
        assertThat(satchel.run("bag", "save", chat, "two.txt").code()).isZero();
        satchel.run("bag", "rm", chat, "two.txt");
        assertThat(satchel.run("bag", "ls", chat).out()).contains("one.txt").doesNotContain("two");
        assertThat(satchel.run("assets", "ls", "--search", "two").out()).contains("two.txt");
    }

    @Test
    void assetsAreStoredFoundAndDeleted() throws Exception {
        Path file = satchel.file("lasting.txt", "lasting");

        assertThat(satchel.run("assets", "put", file.toString()).out()).contains("lasting.txt");
        assertThat(satchel.run("assets", "get", "lasting.txt", "-").out()).isEqualTo("lasting");
        assertThat(satchel.run("assets", "rm", "lasting.txt").code()).isZero();
        assertThat(satchel.run("assets").out()).doesNotContain("lasting");
    }

    @Test
    void anAgentIsSavedFromAFileAndRun() throws Exception {
        Path spec = satchel.file("clerk.json", "{\"name\": \"clerk\", \"maxRounds\": 3}");

        String id = satchel.run("agents", "create", spec.toString()).out().strip();
        Outcome answer =
                satchel.run(
                        "run",
                        "clerk",
                        "/sh mkdir -p assets && echo made > assets/made.txt",
                        "--files-to",
                        "run-files");
        Path given = satchel.file("given.txt", "from this machine");
        Outcome withFile =
                satchel.run(
                        "run",
                        "clerk",
                        "/sh mkdir assets && cat given.txt && cp given.txt assets/copy.txt",
                        "--attach",
                        given.toString(),
                        "--files-to",
                        "made");
        Outcome fileOnly = satchel.run("run", "clerk", "-a", given.toString());
        Outcome lines = satchel.run("run", "clerk", "/sh echo x", "--json");

        assertThat(answer.code()).as(answer.err()).isZero();
        assertThat(satchel.home().resolve("run-files/made.txt")).hasContent("made\n");
        assertThat(withFile.out()).contains("from this machine");
        assertThat(satchel.home().resolve("made/copy.txt")).hasContent("from this machine");
        assertThat(satchel.home().resolve("made/given.txt")).doesNotExist();
        assertThat(fileOnly.out()).contains("given.txt");
        assertThat(satchel.run("run", "clerk").code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(lines.out()).contains("{\"type\":\"run\"", "{\"type\":\"log\"");
        Path shown = satchel.file("shown.json", satchel.run("agents", "show", "clerk").out());
        assertThat(satchel.run("agents", "update", "clerk", shown.toString()).out().strip())
                .isEqualTo(id);
        assertThat(satchel.run("agents").out()).contains(id, "clerk");
        assertThat(satchel.run("agents", "rm", "clerk").code()).isZero();
        assertThat(satchel.run("run", "clerk", "x").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void tracePrintsEveryEvent() throws Exception {
        String chat = chatOf("/sh echo traced");

        assertThat(satchel.run("trace", "--chat", chat).out())
                .contains("started ", "info ", "ok      sh", "end     succeeded");
        assertThat(satchel.run("trace").code()).isEqualTo(ExitCode.WRONG_USE);
    }

    @Test
    void aKeyIsCreatedUsedAndRevoked() throws Exception {
        String key = satchel.run("keys", "create", "ci", "--tenant", "acme").out().strip();
        String[] asAcme = {"keys", "--json", "--url", satchel.url().toString(), "--key", key};

        Outcome listed = SatchelProcess.finish(satchel.start(asAcme));
        JsonNode view = ClientJson.MAPPER.readTree(listed.out());
        assertThat(view.get("workspaceId").stringValue()).isEqualTo("acme");
        asAcme[1] = "revoke";
        Outcome revoked =
                SatchelProcess.finish(
                        satchel.start(
                                "keys",
                                "revoke",
                                "ci",
                                "--force",
                                "--url",
                                satchel.url().toString(),
                                "--key",
                                key));
        assertThat(revoked.code()).isZero();
        asAcme[1] = "--json";
        assertThat(SatchelProcess.finish(satchel.start(asAcme)).code())
                .isEqualTo(ExitCode.NOT_ALLOWED);
    }

    @Test
    void storagePrintsTheDiskUsage() throws Exception {
        String chat = satchel.run("chats", "new", "Heavy").out().strip();
        satchel.run("bag", "put", chat, satchel.file("heavy", "x".repeat(50_000)).toString());

        assertThat(satchel.run("storage").out()).contains("chat files", "snapshots", "Heavy");
        JsonNode use = ClientJson.MAPPER.readTree(satchel.run("storage", "--json").out());
        assertThat(use.at("/files/bytes").longValue()).isGreaterThanOrEqualTo(50_000);
    }

    @Test
    void aModelThatTheServerDoesNotHaveIsRefused() throws Exception {
        Outcome refused = satchel.run("send", "hello", "--model", "best");

        assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err()).contains("model is not a model of this server: best");
        Outcome models = satchel.run("models");
        assertThat(models.code()).isZero();
        assertThat(models.err()).contains("The server has no model", "ANTHROPIC_API_KEY");
    }

    @Test
    void everyKindOfFailureHasItsExitCode() throws Exception {
        assertThat(satchel.run("chats", "show", "ffffffff").code()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(satchel.run("send").code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(satchel.run("chats", "--colour").code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(satchel.run("files").code()).isEqualTo(ExitCode.WRONG_USE);
        Outcome unreachable = satchel.run("chats", "--url", "http://127.0.0.1:1");
        assertThat(unreachable.code()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(unreachable.err()).contains("no server answers at http://127.0.0.1:1");
        assertThat(satchel.run("chats", "--key", "wrong").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        Outcome missing = satchel.run("assets", "put", "nowhere.txt");
        assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
        assertThat(missing.err()).isEqualTo("satchel: nowhere.txt: no such file");
    }

    @Test
    void aBusyChatIsAConflict() throws Exception {
        String started = satchel.run("send", "/sleep 600", "--detach", "--json").out();
        String chat = ClientJson.MAPPER.readTree(started).get("chatId").stringValue();

        assertThat(satchel.run("send", "-c", chat, "me too").code()).isEqualTo(ExitCode.CONFLICT);
        assertThat(satchel.run("chats", "cancel", chat).out()).isEqualTo("cancelled\n");
    }

    @Test
    void messagesOfABusyChatAreQueuedListedEditedAndRemoved() throws Exception {
        String started = satchel.run("send", "/sleep 600", "--detach", "--json").out();
        String chat = ClientJson.MAPPER.readTree(started).get("chatId").stringValue();
        String first = satchel.run("send", "--queue", "-c", chat, "/sh echo one").out().strip();
        String second = satchel.run("send", "--queue", "-c", chat, "/sh echo two").out().strip();

        assertThat(satchel.run("queue", "rm", chat, first).code()).isZero();
        assertThat(satchel.run("queue", "edit", chat, second, "/sh echo 2nd").code()).isZero();
        assertThat(satchel.run("queue", "steer", chat, second, "--json").out())
                .contains("\"steering\":true");
        satchel.run("chats", "cancel", chat);
        Outcome listed = satchel.run("queue", "ls", chat);
        assertThat(listed.out()).contains(second, "/sh echo 2nd").doesNotContain(first);
        assertThat(listed.err()).contains("The queue is paused");
        assertThat(satchel.run("queue", "rm", chat, first).code()).isEqualTo(ExitCode.NOT_FOUND);

        assertThat(satchel.run("queue", "resume", chat).code()).isZero();
        assertThat(satchel.run("queue", "ls", chat).err()).doesNotContain("paused");
    }

    private static String chatOf(String message) throws Exception {
        Outcome sent = satchel.run("send", "--json", message);
        return ClientJson.MAPPER.readTree(sent.lines().getFirst()).get("chatId").stringValue();
    }

    @Test
    void whatWasSaidAndStoredIsFound() throws Exception {
        String chat = chatOf("/sh echo the purple hedgehog sleeps");

        Outcome phrase = satchel.run("search", "purple hedgehog", "--in", "messages");
        assertThat(phrase.out()).contains("message", chat, "the purple hedgehog sleeps");
        String json = satchel.run("search", "hedgeh", "--limit", "1", "--json").out();
        assertThat(ClientJson.MAPPER.readTree(json).get("chatId").stringValue()).isEqualTo(chat);
        Outcome nothing = satchel.run("search", "hedgehog purple", "--in", "messages");
        assertThat(nothing.code()).isZero();
        assertThat(nothing.out()).isEmpty();
        assertThat(nothing.err()).contains("nothing found");
        assertThat(satchel.run("search").code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(satchel.run("search", "x", "--in", "y").code()).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void asksAreListedAndAnAnswerNeedsOne() throws Exception {
        assertThat(satchel.run("asks").code()).isZero();
        String run = "3f8e2b1c-6a51-4a3f-9a77-0f0f5b1f2d10";
        assertThat(satchel.run("answer", run, "call_1_0", "--allow").code())
                .isEqualTo(ExitCode.NOT_FOUND);
        assertThat(satchel.run("answer", run, "call_1_0").code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(satchel.run("answer", run, "call_1_0", "--allow", "--deny").code())
                .isEqualTo(ExitCode.WRONG_USE);
    }
}
