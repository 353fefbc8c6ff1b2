package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script in real shells. */
@Timeout(120)
class CompletionTest {
    @TempDir private Path folder;
    private Path script;

    @BeforeEach
    void make() throws Exception {
        script = folder.resolve("completion");
        Files.writeString(
                script, output(Satchel.java("dev.satchel.cli.Main", "completion", "bash")));
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
    void zshTakesItToo() throws Exception {
        String source = "source " + script + "; print -r -- ${_comps[satchel]}";

        assertThat(output(List.of("zsh", "-f", "-c", source))).contains("bash_complete");
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
