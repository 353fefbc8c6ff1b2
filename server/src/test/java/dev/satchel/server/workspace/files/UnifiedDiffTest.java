package dev.satchel.server.workspace.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Differences that can be applied, and are as short as a person expects. */
class UnifiedDiffTest {
    private static final Pattern HUNK =
            Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@");

    @Test
    void aChangedLineHasItsSurroundings() {
        String before = numbered(1, 10);
        String after = before.replace("line 5\n", "changed\n");

        assertThat(UnifiedDiff.of(before, after))
                .isEqualTo(
                        """
                        @@ -2,7 +2,7 @@
                         line 2
                         line 3
                         line 4
                        -line 5
                        +changed
                         line 6
                         line 7
                         line 8
                        """);
    }

    @Test
    void changesThatAreFarApartAreTwoHunks() {
        String before = numbered(1, 40);
        String after = before.replace("line 5\n", "").replace("line 30\n", "line 30\nnew\n");

        String diff = UnifiedDiff.of(before, after);

        assertThat(diff.lines().filter(line -> line.startsWith("@@")))
                .containsExactly("@@ -2,7 +2,6 @@", "@@ -28,6 +27,7 @@");
        assertThat(applied(before, diff)).isEqualTo(after);
    }

    @Test
    void theSameTextsHaveNone() {
        assertThat(UnifiedDiff.of("a\nb", "a\nb")).isEmpty();
        assertThat(UnifiedDiff.of("", "")).isEmpty();
    }

    @Test
    void everyDifferenceLeadsFromOneTextToTheOther() {
        Random random = new Random(22);
        for (int i = 0; i < 2_000; i++) {
            String before = text(random);
            String after = text(random);
            assertThat(applied(before, UnifiedDiff.of(before, after))).isEqualTo(after);
        }
    }

    @Test
    void textsThatDifferEverywhereAreReplaced() {
        String before = numbered(1, 4_000);
        String after = numbered(10_001, 14_000);

        assertThat(applied(before, UnifiedDiff.of(before, after))).isEqualTo(after);
    }

    private static String numbered(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> "line " + i + "\n")
                .collect(Collectors.joining());
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int rest = random.nextInt(30); rest > 0; rest--) {
            text.append((char) ('a' + random.nextInt(4)));
            if (rest > 1 || random.nextBoolean()) {
                text.append('\n');
            }
        }
        return text.toString();
    }

    /** As the program {@code patch} does. */
    private static String applied(String before, String diff) {
        List<String> lines = new ArrayList<>(before.lines().map(line -> line + "\n").toList());
        if (!before.isEmpty() && !before.endsWith("\n")) {
            lines.add(lines.removeLast().stripTrailing());
        }
        StringBuilder after = new StringBuilder();
        int done = 0;
        char last = ' ';
        for (String line : diff.lines().toList()) {
            Matcher hunk = HUNK.matcher(line);
            if (hunk.matches()) {
                int begin = Integer.parseInt(hunk.group(1));
                int start = "0".equals(hunk.group(2)) ? begin : begin - 1;
                lines.subList(done, start).forEach(after::append);
                done = start;
            } else if (line.startsWith("\\")) {
                if (last != '-') {
                    after.setLength(after.length() - 1);
                }
            } else {
                if (line.charAt(0) != '+') {
                    assertThat(lines.get(done).stripTrailing()).isEqualTo(line.substring(1));
                    done++;
                }
                if (line.charAt(0) != '-') {
                    after.append(line.substring(1)).append('\n');
                }
                last = line.charAt(0);
            }
        }
        lines.subList(done, lines.size()).forEach(after::append);
        return after.toString();
    }
}
