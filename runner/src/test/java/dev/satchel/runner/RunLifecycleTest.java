package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.satchel.http.security.Sha256;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunLifecycleTest extends RunnerFixture {
    @Test
    void filesGoInCommandsRunAndAssetsComeBackBeforeTheResult() throws Exception {
        satchel.bag.put("in.txt", "three\nshort\nlines\n");
        List<SandboxLine> lines = run("mkdir assets; wc -l < in.txt > assets/count.txt; pwd");
        assertThat(lines.getLast())
                .isInstanceOfSatisfying(
                        SandboxLine.Result.class,
                        r -> assertThat(r.message()).isEqualTo("/root/workspace\n"));
        assertThat(satchel.uploads).containsExactly(Map.of("count.txt", "3\n"));
        assertThat(lines).filteredOn(SandboxLine::terminal).hasSize(1);
    }

    @Test
    void everyPhaseIsLoggedInOrder() throws Exception {
        assertThat(logs(run("true")))
                .extracting(message -> message.substring(0, message.indexOf(" ")))
                .containsExactly(
                        "phase=environment",
                        "phase=config",
                        "phase=workspace",
                        "phase=bag",
                        "phase=sandbox",
                        "phase=setup",
                        "phase=agent",
                        "phase=writeback");
    }

    @Test
    void workspaceIsKeptBetweenTurnsOfAConversation() throws Exception {
        result("echo kept > note.txt; mkdir assets; echo 1 > assets/one.txt");
        assertThat(result("cat note.txt; echo 2 > assets/two.txt")).isEqualTo("kept\n");
        assertThat(satchel.uploads)
                .containsExactly(Map.of("one.txt", "1\n"), Map.of("two.txt", "2\n"));
    }

    @Test
    void changedAssetIsHandedInAgain() throws Exception {
        result("mkdir assets; echo 1 > assets/one.txt");
        result("echo 2 > assets/one.txt");
        assertThat(satchel.uploads.getLast()).isEqualTo(Map.of("one.txt", "2\n"));
    }

    @Test
    void otherConversationHasAnotherWorkspace() throws Exception {
        result("echo kept > note.txt");
        satchel.chatId = "chat-2";
        assertThat(result("ls")).isEmpty();
    }

    @Test
    void workspaceOfAHeadlessRunGoesWithIt() throws Exception {
        satchel.chatId = null;
        assertThat(result("touch a; ls")).isEqualTo("a\n");
        assertThat(headlessFolders()).isEmpty();
        assertThat(result("ls")).isEmpty();
    }

    @Test
    void workspaceOfAHeadlessRunStaysWhenItsServerWantsIt() throws Exception {
        satchel.chatId = null;
        satchel.keepWorkspace = true;
        assertThat(result("echo kept > a.txt; ls")).isEqualTo("a.txt\n");
        assertThat(headlessFolders()).isEmpty();
        try (Stream<Path> workspaces = Files.list(data.resolve("workspaces"))) {
            assertThat(workspaces).singleElement().matches(it -> Files.exists(it.resolve("a.txt")));
        }
    }

    @Test
    void leftoversOfAKilledRunnerAreRemovedAtStart() throws Exception {
        Path left = Files.createDirectories(data.resolve("headless/dead/sub"));
        Files.writeString(left.resolve("file"), "x");
        restart(configuration());
        assertThat(headlessFolders()).isEmpty();
    }

    @Test
    void setupScriptRunsWithTheVariablesBeforeTheAgent() throws Exception {
        satchel.variables.put("GREETING", "good morning");
        satchel.script = "echo \"$GREETING\" > greeting.txt";
        assertThat(result("cat greeting.txt; echo $GREETING"))
                .isEqualTo("good morning\ngood morning\n");
    }

    @Test
    void failingSetupScriptIsAnErrorThatShowsTheEndOfItsOutput() throws Exception {
        satchel.script = "seq 1 5000; echo no such package >&2; exit 3";
        SandboxLine.Failure failure = failure("true");
        assertThat(failure.code()).isEqualTo("setup_failed");
        assertThat(failure.message())
                .contains("exit code 3")
                .endsWith("no such package")
                .hasSizeLessThan(3_000);
    }

    @Test
    void refusedTokensAreAnError() throws Exception {
        satchel.setupToken = "another";
        assertThat(failure("true").code()).isEqualTo("token_refused");
        satchel.setupToken = ScriptedSatchel.SETUP;
        satchel.runToken = "another";
        SandboxLine.Failure failure = failure("true");
        assertThat(failure.code()).isEqualTo("token_refused");
        assertThat(failure.message()).doesNotContain(ScriptedSatchel.RUN);
    }

    @Test
    void malformedConfigIsAnError() throws Exception {
        satchel.rawConfig = Optional.of("{\"prompt\": [");
        assertThat(failure("true").code()).isEqualTo("callback_failed");
        satchel.rawConfig = Optional.of("{\"session_id\": \"x\", \"max_rounds\": 3}");
        assertThat(failure("true").code()).isEqualTo("callback_failed");
    }

    @Test
    void satchelThatCannotBeReachedIsAnError() throws Exception {
        Dispatch dispatch = satchel.dispatch("run", "true");
        satchel.close();
        assertThat(((SandboxLine.Failure) client.run(dispatch).getLast()).code())
                .isEqualTo("callback_failed");
    }

    @Test
    void bagThatIsNoZipIsAnErrorAndLeavesTheWorkspaceAsItWas() throws Exception {
        result("echo kept > note.txt");
        satchel.rawBag = Optional.of("not a zip".getBytes(StandardCharsets.UTF_8));
        assertThat(failure("true").code()).isEqualTo("bag_failed");
        satchel.rawBag = Optional.empty();
        assertThat(result("ls")).isEqualTo("note.txt\n");
    }

    @Test
    void folderWithTheNameOfAFileCostsThatFileOnly() throws Exception {
        result("mkdir hello assets; echo hi > assets/hello");
        satchel.bag.put("hello", "hi\n");
        satchel.bag.put("assets", "not a folder");
        satchel.bag.put("other.txt", "there\n");
        List<SandboxLine> lines = run("cat other.txt; ls -d hello/ assets/");
        assertThat(lines.getLast())
                .isInstanceOfSatisfying(
                        SandboxLine.Result.class,
                        r -> assertThat(r.message()).isEqualTo("there\nassets/\nhello/\n"));
        assertThat(warnings(lines))
                .anyMatch(message -> message.startsWith("bag skipped=hello:"))
                .anyMatch(message -> message.startsWith("bag skipped=assets:"));
    }

    @Test
    void serverWithoutLimitsGetsAsManyFilesAsTheFirstProtocolAllowed() throws Exception {
        List<SandboxLine> lines =
                run(
                        "mkdir assets; for i in $(seq 10 34); do head -c $i /dev/zero >"
                                + " assets/$i.bin; done");
        assertThat(satchel.uploads.getLast().keySet())
                .hasSize(20)
                .contains("10.bin", "29.bin")
                .doesNotContain("30.bin");
        assertThat(left(lines))
                .hasSize(5)
                .contains(new NotHandedOver("assets/30.bin", 30, "a run may hand in 20 files"));
    }

    @Test
    void limitsOfTheServerDecideAndTheRestIsNamed() throws Exception {
        satchel.limits = new RunConfig.Limits(1_000, 60_000_000, 100_000_000);
        List<SandboxLine> lines =
                run(
                        "mkdir assets; cd assets; seq 1 999 | split -l 1 -a 3 -; truncate -s 55000000"
                                + " film; truncate -s 60000001 big");
        assertThat(satchel.uploads.getLast()).hasSize(1_000).containsKey("film");
        assertThat(left(lines))
                .containsExactly(
                        new NotHandedOver(
                                "assets/big",
                                60_000_001,
                                "the file is larger than the limit of 60000000 bytes"));
    }

    @Test
    void foldersAreKeptAndLinksAreFollowedInsideTheWorkspaceOnly() throws Exception {
        List<SandboxLine> lines =
                run(
                        "mkdir -p assets/sub; echo real > made.txt; cd assets; ln -s /etc/passwd"
                                + " out; ln -s ../made.txt in; ln -s sub folder; mkfifo pipe;"
                                + " echo x > 'sub/ü \"1\".txt'; : > empty");
        assertThat(satchel.uploads)
                .containsExactly(Map.of("sub/ü %221%22.txt", "x\n", "empty", "", "in", "real\n"));
        assertThat(left(lines))
                .extracting(NotHandedOver::path, NotHandedOver::reason)
                .containsExactlyInAnyOrder(
                        tuple("assets/out", "the link leads to no regular file in the workspace"),
                        tuple(
                                "assets/folder",
                                "the link leads to no regular file in the workspace"),
                        tuple("assets/pipe", "this is not a regular file"));
    }

    @Test
    void filesThatTheServerSkipsAreNamedExceptUnchangedOnes() throws Exception {
        satchel.skipped.put("full.txt", "the conversation is full");
        satchel.skipped.put("same.txt", "unchanged");
        List<SandboxLine> lines =
                run("mkdir assets; cd assets; echo 1 > full.txt; echo 2 > same.txt");
        assertThat(left(lines))
                .containsExactly(
                        new NotHandedOver("assets/full.txt", 2, "the conversation is full"));
    }

    @Test
    void filesThatACrashedRunLeftAreHandedIn() throws Exception {
        result("mkdir assets; cd assets; echo 1 > known; echo 2 > changed; echo 3 > left");
        satchel.uploads.clear();
        satchel.known =
                List.of(
                        new RunConfig.KnownOutput("known", 2, Sha256.hex("1\n"), false),
                        new RunConfig.KnownOutput("changed", 2, Sha256.hex("0\n"), false));
        result("true");
        assertThat(satchel.uploads).containsExactly(Map.of("changed", "2\n", "left", "3\n"));
    }

    @Test
    void fileThatWasNamedBeforeIsOfferedAgainButNotNamedAgain() throws Exception {
        satchel.known = List.of();
        satchel.limits = new RunConfig.Limits(10, 5, 100);
        assertThat(left(run("mkdir assets; echo too long > assets/a"))).hasSize(1);
        satchel.known = List.of(new RunConfig.KnownOutput("a", 9, null, true));
        assertThat(left(run("true"))).isEmpty();
        satchel.limits = new RunConfig.Limits(10, 50, 100);
        assertThat(left(run("true"))).isEmpty();
        assertThat(satchel.uploads).containsExactly(Map.of("a", "too long\n"));
    }

    @Test
    void runWithoutUploadTokenHandsNothingIn() throws Exception {
        Dispatch with = satchel.dispatch("run", "mkdir assets; echo x > assets/a");
        Dispatch without =
                new Dispatch(
                        "run",
                        with.agentUrl(),
                        with.otpSetup(),
                        with.otpRun(),
                        null,
                        with.prompt(),
                        null,
                        null,
                        null);
        List<SandboxLine> lines = client.run(without);
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
        assertThat(satchel.uploads).isEmpty();
        assertThat(left(lines))
                .containsExactly(
                        new NotHandedOver("assets/a", 2, "the dispatch has no upload token"));
    }

    @Test
    void refusedFilesAreAWarningBesideTheAnswer() throws Exception {
        satchel.refusals.add(413);
        List<SandboxLine> lines = run("mkdir assets; echo x > assets/a; echo the answer");
        assertThat(lines.getLast())
                .isInstanceOfSatisfying(
                        SandboxLine.Result.class,
                        r -> assertThat(r.message()).isEqualTo("the answer\n"));
        assertThat(left(lines))
                .containsExactly(
                        new NotHandedOver(
                                "assets/a", 2, "Satchel answered 413 no room for these files"));
        assertThat(satchel.uploads).isEmpty();
    }

    @Test
    void filesAreHandedInOnceMoreWhenSatchelFails() throws Exception {
        satchel.refusals.add(503);
        result("mkdir assets; echo x > assets/a");
        assertThat(satchel.uploads).containsExactly(Map.of("a", "x\n"));
    }

    @Test
    void filesThatCannotBeHandedInAreAnError() throws Exception {
        satchel.refusals.addAll(List.of(503, 500, 500));
        SandboxLine.Failure failure = failure("mkdir assets; echo x > assets/a");
        assertThat(failure.code()).isEqualTo("writeback_failed");
        assertThat(failure.message()).contains("500");
    }

    @Test
    void fileWithANameNobodyTakesIsNamed() throws Exception {
        List<SandboxLine> lines =
                run(
                        "mkdir assets; cd assets; echo 1 > \"$(printf 'a\\nb')\"; echo 2 > ' ';"
                                + " echo 3 > 'c\\'; echo 4 > good");
        assertThat(satchel.uploads).containsExactly(Map.of("good", "4\n"));
        assertThat(left(lines))
                .extracting(NotHandedOver::path)
                .containsExactlyInAnyOrder("assets/a\nb", "assets/ ", "assets/c\\");
    }

    @Test
    void fileWhoseNameIsNoUtf8IsHandedInUnderTheTextOfItsBytes() throws Exception {
        result("mkdir assets; cd assets; echo 1 > \"$(printf 'd\\377')\"");
        assertThat(satchel.uploads).containsExactly(Map.of("d\uEFFF", "1\n"));
    }

    @Test
    void stagedAssetLiesUnderItsIdAndName() throws Exception {
        assertThat(result("stage asset-1")).isEqualTo("staged/asset-1-précis.txt");
        assertThat(result("cat staged/*")).isEqualTo("an asset");
    }

    @Test
    void unsafeChatIdIsRefused() throws Exception {
        satchel.chatId = "../chat";
        assertThat(failure("true").code()).isEqualTo("callback_failed");
        assertThat(data.resolve("chat")).doesNotExist();
    }

    @Test
    void agentThatBreaksIsAnInternalErrorThatTellsNothing() throws Exception {
        SandboxLine.Failure failure = failure("stage asset-2");
        assertThat(failure.code()).isEqualTo("internal");
        assertThat(failure.message()).doesNotContain("asset-2");
    }

    private static List<NotHandedOver> left(List<SandboxLine> lines) {
        return ((SandboxLine.Result) lines.getLast()).notHandedOver();
    }
}
