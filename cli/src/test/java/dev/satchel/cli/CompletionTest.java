package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion script in real shells. */
@Timeout(120)
class CompletionTest {
    @TempDir private Path folder;
    private Path script;

    @BeforeEach
    void make() throws Exception {
        script = folder.resolve("completion");
        Files.writeString(
                script, output(SatchelProcess.java("dev.satchel.cli.Main", "completion", "bash")));
    }

    @Test
    void bashCompletesCommandsAndTheirOptions() throws Exception {
        assertThat(completed("satchel", "fi")).containsExactly("files");
        assertThat(completed("satchel", "ser")).containsExactly("serve");
        assertThat(completed("satchel", "files", "d")).containsExactly("diff");
        assertThat(completed("satchel", "send", "--att")).containsExactly("--attach");
        assertThat(completed("satchel", "files", "zip", "--u")).containsExactly("--url");
    }

    @Test
    void everyCommandOfTheLauncherIsKnown() throws Exception {
        String launcher = Files.readString(Path.of("..", "satchel"));
        String commands = launcher.substring(launcher.indexOf("case \"$command\" in"));
        List<String> names =
                Pattern.compile("(?m)^    ([a-zV| -]+)\\)$")
                        .matcher(commands)
                        .results()
                        .flatMap(match -> Arrays.stream(match.group(1).split("\\|")))
                        .map(String::strip)
                        .filter(name -> !name.startsWith("-"))
                        .toList();

        assertThat(names).contains("serve", "chat", "torture", "version");
        assertThat(completed("satchel", "")).containsAll(names);
    }

    /** In an interactive shell, with the tab key. */
    @ParameterizedTest
    @CsvSource({
        "fil, files",
        "files sn, files snapshots",
        "send --att, send --attach",
        "keys create --ten, keys create --tenant",
        "serve --ho, serve --host"
    })
    void zshCompletesCommandsAndOptions(String typed, String completed) throws Exception {
        List<String> shell = List.of("zsh", "-f", "-i");
        try (PseudoTerminal zsh =
                PseudoTerminal.start(folder, Map.of("HOME", folder.toString()), shell)) {
            zsh.line("PS1='ready> '; bindkey -e; satchel() { print -r -- \"<$*>\" }");
            zsh.line("source " + script + "; print loaded-$((1 + 1))");
            zsh.await("loaded-2");
            zsh.type("satchel " + typed + "\t");
            zsh.line("");

            assertThat(zsh.await("<" + completed + ">")).isNotEmpty();
        }
    }

    private List<String> completed(String... words) throws Exception {
        String typed = String.join(" ", words);
        String ask =
                """
                source %s
                compopt() { :; } # works only while a person presses tab
                COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}
                _complete_satchel
                printf '%%s\\n' "${COMPREPLY[@]}"
                """
                        .formatted(script, typed, words.length - 1, typed);
        return output(List.of("bash", "--norc", "-c", ask)).lines().map(String::strip).toList();
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
