package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/SETTINGS.md lists the variables that the programs read, and no others. */
class SettingsDocumentTest {
    private static final String VARIABLE =
            "((?:SATCHEL|SANDBOX|AGENT_SERVER|CHAT|REPLAY|DATABASE|DOCKER|ANTHROPIC|OPENAI|GEMINI"
                    + "|AZURE|AWS|BEDROCK|OLLAMA|OTEL)_[A-Z0-9_]+[A-Z0-9])";

    /** Set by the runner for the processes of a run, not by an operator. */
    private static final Set<String> NOT_SETTINGS =
            Set.of("SATCHEL_UNSAFE_COMMAND", "SATCHEL_SKILLS", "SATCHEL_UNSAFE_RUN");

    @Test
    void theDocumentAndTheProgramsNameTheSameVariables() throws IOException {
        Set<String> read = new TreeSet<>();
        for (String module : List.of("server", "runner", "cli")) {
            try (Stream<Path> sources =
                    Files.walk(Markdown.ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path source :
                        sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                    find(read, source, "\"" + VARIABLE + "\"");
                }
            }
        }
        read.removeAll(NOT_SETTINGS);
        read.removeIf(name -> name.endsWith("_FILE") && !name.equals("SATCHEL_MODELS_FILE"));

        Set<String> documented = new TreeSet<>();
        find(documented, Markdown.ROOT.resolve("docs/SETTINGS.md"), "`" + VARIABLE + "`");

        assertThat(documented).isEqualTo(read).hasSizeGreaterThan(40);
    }

    private static void find(Set<String> names, Path file, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
    }
}
