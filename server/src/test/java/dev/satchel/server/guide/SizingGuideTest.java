package dev.satchel.server.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.guide.GuideShell.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands and the figures of docs/guides/sizing.md. */
@Timeout(120)
class SizingGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "sizing.md");
    private static final Path PERFORMANCE = Path.of("..", "docs", "PERFORMANCE.md");

    /** The name of a figure, its number and its unit. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]+?) +\\| ([0-9.]+) (ms|MB/s|MB|/s|s)\\b[^|]*\\|");

    @TempDir private Path folder;

    @Test
    void aServerStartsWithTheSettings() throws Exception {
        List<String> blocks = GuideShell.blocks("sizing.md");
        GuideShell shell = new GuideShell(folder);
        shell.writeLauncher(System.getProperty("java.class.path"));
        assertThat(blocks).hasSize(1);

        try (Server server = shell.serve(blocks.getFirst())) {
            assertThat(server.get("/livez")).contains("ok");
        }
    }

    /** A machine is not always as fast, but a figure that is twice as high is another one. */
    @Test
    void theFiguresAreThoseThatWereMeasured() throws Exception {
        Map<String, String> measured = rows(PERFORMANCE);
        Map<String, String> named = rows(GUIDE);

        assertThat(named).hasSizeGreaterThan(5);
        named.forEach(
                (figure, value) -> {
                    assertThat(measured).containsKey(figure);
                    String[] ours = value.split(" ", 2);
                    String[] theirs = measured.getOrDefault(figure, "").split(" ", 2);
                    assertThat(ours[1]).as(figure).isEqualTo(theirs[1]);
                    double ratio = Double.parseDouble(ours[0]) / Double.parseDouble(theirs[0]);
                    assertThat(ratio).as(figure).isBetween(0.5, 2.0);
                });
    }

    private static Map<String, String> rows(Path file) throws Exception {
        Map<String, String> rows = new TreeMap<>();
        Matcher matcher = ROW.matcher(Files.readString(file));
        while (matcher.find()) {
            rows.putIfAbsent(matcher.group(1), matcher.group(2) + " " + matcher.group(3));
        }
        return rows;
    }
}
