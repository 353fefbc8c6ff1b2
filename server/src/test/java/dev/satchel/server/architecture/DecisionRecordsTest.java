package dev.satchel.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Decision records have one form: {@code NNNN-slug.md} with the heading {@code # N. Title}, a
 * status, a date and three sections.
 */
class DecisionRecordsTest {
    private static final Path FOLDER = Markdown.ROOT.resolve("docs/decisions");

    @Test
    void theNumbersHaveNoGap() throws IOException {
        List<Path> records = records();
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).getFileName().toString())
                    .startsWith("%04d-".formatted(i + 1));
        }
        assertThat(records).hasSizeGreaterThan(40);
    }

    @Test
    void everyRecordHasTheSameForm() throws IOException {
        List<Path> records = records();
        for (int i = 0; i < records.size(); i++) {
            assertThat(Files.readString(records.get(i)))
                    .as(records.get(i).toString())
                    .startsWith("# " + (i + 1) + ". ")
                    .containsPattern("(?m)^Status: (accepted|superseded by \\d+)$")
                    .containsPattern("(?m)^Date: \\d{4}-\\d\\d-\\d\\d$")
                    .containsPattern("(?s)\n## Context\n.*\n## Decision\n.*\n## Consequences\n");
        }
    }

    @Test
    void theIndexListsEveryRecordWithItsTitleAndStatus() throws IOException {
        String index = Files.readString(FOLDER.resolve("README.md"));
        List<Path> records = records();
        for (int i = 0; i < records.size(); i++) {
            List<String> lines = Files.readAllLines(records.get(i));
            String number = String.valueOf(i + 1);
            String title = lines.getFirst().substring(("# " + number + ". ").length());
            String status =
                    lines.stream()
                            .filter(line -> line.startsWith("Status: "))
                            .findFirst()
                            .orElseThrow()
                            .substring("Status: ".length());
            assertThat(index)
                    .contains(
                            "| %s | [%s](%s) | %s |\n"
                                    .formatted(
                                            number, title, records.get(i).getFileName(), status));
        }
    }

    private static List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }
    }
}
