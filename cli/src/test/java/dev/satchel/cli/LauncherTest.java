package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ./satchel} does before it starts Java. */
@Timeout(60)
class LauncherTest {
    private static final String LOCK_TIMEOUT = "DPkg::Lock::Timeout=300";
    private static final String LOCKED =
            "echo 'E: Could not get lock /var/lib/apt/lists/lock' >&2; exit 100";

    @TempDir private Path folder;
    private LauncherCopy launcher;

    @BeforeEach
    void copy() throws IOException {
        launcher = new LauncherCopy(folder);
    }

    @Test
    void withoutArgumentsItPrintsTheHelp() throws Exception {
        SatchelProcess.Outcome outcome = launcher.run();

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).startsWith("Usage: ./satchel COMMAND").contains("serve", "test");
    }

    @ParameterizedTest
    @CsvSource({"version", "--version", "-V"})
    void itPrintsTheVersionOfThePom(String argument) throws Exception {
        assertThat(launcher.run(argument).out()).matches("satchel \\d+\\.\\d+\\.\\d+(-\\w+)?\n");
        assertThat(launcher.calls("java")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "serv, serve",
        "sevre, serve",
        "chatz, chat",
        "torure, torture",
        "versoin, version"
    })
    void aMisspelledCommandIsCorrected(String typed, String meant) throws Exception {
        SatchelProcess.Outcome outcome = launcher.run(typed);

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("satchel: unknown command: " + typed + ". Did you mean " + meant + "?");
    }

    @Test
    void anUnknownCommandIsRefused() throws Exception {
        SatchelProcess.Outcome outcome = launcher.run("xylophone");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        satchel: unknown command: xylophone
                        satchel: ./satchel help lists the commands""");
    }

    @Test
    void withEverythingInstalledItBuildsOnceAndStarts() throws Exception {
        assertThat(launcher.run("serve", "--port", "0").code()).isZero();
        assertThat(launcher.run("serve", "--port", "0").code()).isZero();

        assertThat(launcher.calls("mvn")).hasSize(1);
        assertThat(launcher.calls("java").getLast()).endsWith("satchel-server.jar serve --port 0");
    }

    @Test
    void withoutRootItPrintsTheLineToRunAndBuildsNothing() throws Exception {
        launcher.program("id", "echo 1000");
        launcher.program("sudo", "exit 1");
        launcher.aptGetThatInstalls("mvn", "bwrap");
        launcher.remove("bwrap");
        launcher.remove("mvn");

        SatchelProcess.Outcome outcome = launcher.run("serve");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .contains(
                        "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends"
                                + " maven bubblewrap'\n")
                .contains("SATCHEL_RUNNER=none");
        assertThat(launcher.calls("apt-get")).isEmpty();
        assertThat(launcher.calls("java")).isEmpty();
    }

    @Test
    void asRootItInstallsWhatIsMissingAndStarts() throws Exception {
        launcher.aptGetThatInstalls("bwrap");
        launcher.remove("bwrap");

        assertThat(launcher.run("serve").code()).isZero();

        List<String> calls = launcher.calls("apt-get");
        assertThat(calls).hasSize(2).allMatch(call -> call.contains(LOCK_TIMEOUT));
        assertThat(calls.getFirst()).endsWith(" update");
        assertThat(calls.getLast()).endsWith(" install -y --no-install-recommends bubblewrap");
        assertThat(launcher.calls("java").getLast()).endsWith(" serve");
    }

    @Test
    void withSudoWithoutPasswordItInstallsToo() throws Exception {
        launcher.program("id", "echo 1000");
        launcher.program("sudo", "shift; exec \"$@\"");
        launcher.aptGetThatInstalls("bwrap");
        launcher.remove("bwrap");

        assertThat(launcher.run("serve").code()).isZero();

        assertThat(launcher.calls("sudo").getLast())
                .endsWith("install -y --no-install-recommends bubblewrap");
    }

    @Test
    void itWaitsForAnotherPackageManager() throws Exception {
        launcher.aptGetThatInstalls("bwrap");
        Path script = folder.resolve("bin/apt-get");
        String busyOnce = "[ -e was-busy ] || { : >was-busy; " + LOCKED + "; }\n";
        Files.writeString(
                script, Files.readString(script).replaceFirst("(?m)^case", busyOnce + "case"));
        launcher.remove("bwrap");

        SatchelProcess.Outcome outcome = launcher.run("serve");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).contains("waiting for another package manager");
        assertThat(launcher.calls("apt-get")).hasSize(3);
    }

    @Test
    void aSandboxIsNotNeededForCommandsOfTheTerminal() throws Exception {
        launcher.remove("bwrap");

        assertThat(launcher.run("chats").code()).isZero();
    }

    @Test
    void aJdkThatDebianHasIsInstalled() throws Exception {
        launcher.removeJdk();
        launcher.aptGetThatInstalls();
        launcher.program("apt-cache", "echo '  Candidate: 25.0.3+9-2'");

        SatchelProcess.Outcome outcome = launcher.run("serve");

        assertThat(launcher.calls("apt-get").getLast()).endsWith(" openjdk-25-jdk-headless");
        assertThat(outcome.err())
                .endsWith("the JDK that was installed is not found; set JAVA_HOME");
    }

    @Test
    void withoutAJdkToInstallItPrintsWhatToDo() throws Exception {
        launcher.removeJdk();
        launcher.remove("bwrap");
        launcher.aptGetThatInstalls();
        launcher.program("apt-cache", "echo '  Candidate: (none)'");

        SatchelProcess.Outcome outcome = launcher.run("serve");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("no JDK 25 or newer found", "set JAVA_HOME")
                .endsWith("temurin-25-jdk bubblewrap");
        assertThat(launcher.calls("apt-get")).noneMatch(call -> call.contains("install"));
    }

    @Test
    void aDownloadedNodeWithAWrongChecksumIsNotUsed() throws Exception {
        launcher.program("node", "echo v18.20.4");
        launcher.program("npm", "echo wrong >packed.tgz; echo packed.tgz");

        SatchelProcess.Outcome outcome = launcher.run("serve");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("fetching Node.js").endsWith("it is not used");
        assertThat(folder.resolve(".cache/satchel")).isEmptyDirectory();
        assertThat(launcher.calls("mvn")).isEmpty();
    }

    @Test
    void aFailedAotTrainingIsRepeatedAtTheNextStart() throws Exception {
        Files.createFile(folder.resolve("no-training"));
        assertThat(launcher.run("serve").err()).contains("no AOT cache (attempt 1 of 3)");
        Files.delete(folder.resolve("no-training"));

        assertThat(launcher.run("serve").err()).doesNotContain("no AOT cache");

        assertThat(launcher.calls("java").getLast()).contains("-XX:AOTCache=");
        assertThat(launcher.run("serve").err()).isEmpty();
    }

    @Test
    void aTrainingThatAlwaysFailsIsGivenUpAfterThreeStarts() throws Exception {
        Files.createFile(folder.resolve("no-training"));
        for (int start = 0; start < 5; start++) {
            assertThat(launcher.run("serve").code()).isZero();
        }
        assertThat(launcher.calls("java").stream().filter(call -> call.endsWith(" train")))
                .hasSize(3);

        launcher.addJdk("25.0.9");
        Files.delete(folder.resolve("no-training"));
        assertThat(launcher.run("serve").code()).isZero();
        assertThat(launcher.calls("java").getLast()).contains("-XX:AOTCache=");
    }

    @Test
    void anotherJdkGetsItsOwnCache() throws Exception {
        launcher.run("serve");
        launcher.addJdk("25.0.9");

        launcher.run("serve");

        assertThat(launcher.calls("java").stream().filter(call -> call.endsWith(" train")))
                .hasSize(2);
    }
}
