package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every code a run can end with is in docs/RUN-ERRORS.md, and nothing else is. */
class RunErrorsDocumentTest {
    private static final Path ROOT = Path.of("..");
    private static final Path EXECUTION =
            ROOT.resolve("server/src/main/java/dev/satchel/server/execution");
    private static final Path RUNNER = ROOT.resolve("runner/src/main/java/dev/satchel/runner");

    @Test
    void theDocumentAndTheCodeNameTheSameCodes() throws IOException {
        Set<String> inCode = new TreeSet<>();
        for (String type : List.of("Execution", "RunOutcome", "SandboxRefusedException")) {
            find(inCode, EXECUTION.resolve(type + ".java"), "\\bfailed\\(\\s*\"([a-z_]+)\"");
        }
        find(inCode, EXECUTION.resolve("StopReason.java"), "RunStatus\\.\\w+,\\s*\"([a-z_]+)\"");
        find(inCode, RUNNER.resolve("run/RunFailedException.java"), "(?m)^ {8}([A-Z_]+)[,;]");
        find(inCode, RUNNER.resolve("model/ModelFailure.java"), "\"(model_[a-z_]+)\"");
        find(inCode, RUNNER.resolve("agent/ModelAgent.java"), "\"(max_rounds)\"");
        find(inCode, RUNNER.resolve("StreamHandler.java"), "\"(runner_stopped)\"");

        Set<String> documented = new TreeSet<>();
        find(documented, ROOT.resolve("docs/RUN-ERRORS.md"), "(?m)^\\| `([a-z_]+)`");

        assertThat(documented).isEqualTo(inCode).hasSizeGreaterThan(20);
    }

    private static void find(Set<String> codes, Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        while (matcher.find()) {
            codes.add(matcher.group(1).toLowerCase(Locale.ROOT));
        }
    }
}
