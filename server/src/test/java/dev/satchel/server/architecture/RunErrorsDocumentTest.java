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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/RUN-ERRORS.md lists every code with which a run can end, and no others. */
class RunErrorsDocumentTest {
    private static final Path EXECUTION =
            Markdown.ROOT.resolve("server/src/main/java/dev/satchel/server/execution");
    private static final Path RUNNER =
            Markdown.ROOT.resolve("runner/src/main/java/dev/satchel/runner");

    @Test
    void theDocumentAndTheCodeNameTheSameCodes() throws IOException {
        Set<String> inCode = new TreeSet<>();
        for (Path source : sources(EXECUTION)) {
            find(inCode, source, "\\bfailed\\(\\s*\"([a-z_]+)\"");
            find(inCode, source, "RunStatus\\.\\w+,\\s*\"([a-z_]+)\"");
        }
        for (Path source : sources(RUNNER)) {
            find(inCode, source, "[A-Z]\\(\"(model_[a-z_]+|context_overflow)\"\\)");
            find(inCode, source, "\"(runner_stopped|ask_refused)\"");
            if (Files.readString(source).contains("enum Code {")) {
                find(inCode, source, "(?m)^ {8}([A-Z_]+)[,;]");
            }
        }

        Set<String> documented = new TreeSet<>();
        find(documented, Markdown.ROOT.resolve("docs/RUN-ERRORS.md"), "(?m)^\\| `([a-z_]+)`");

        assertThat(documented).isEqualTo(inCode).hasSizeGreaterThan(20);
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static void find(Set<String> codes, Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        while (matcher.find()) {
            codes.add(matcher.group(1).toLowerCase(Locale.ROOT));
        }
    }
}
