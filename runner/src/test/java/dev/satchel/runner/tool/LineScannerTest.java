package dev.satchel.runner.tool;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineScannerTest {
    private static final int BLOCK = 64 * 1024;
    private static final String[] PATTERNS = {
        "needle",
        "need.e",
        "^needle",
        "needle$",
        "n[e]+dle",
        "(needle|pin)",
        "needle|pin",
        "^hay|l$|pin",
        "hay\\s+needle",
        "ü.*needle",
        "e{2}",
        "Z",
        "no such text",
        "[xZ]{9}"
    };

    @TempDir Path folder;

    @Test
    void aScanFindsTheLinesThatMatchingEveryLineFinds() throws Exception {
        Random random = new Random(5);
        String[] words = {"hay", "needle", "Needle", "pin", "üml", "", "x".repeat(3000)};
        for (int round = 0; round < 6; round++) {
            requireEveryLine(text(random, 2_000, words));
        }
    }

    /** Most blocks hold nothing, so they are passed over and counted later, or never. */
    @Test
    void whatIsRareIsFoundWithItsNumber() throws Exception {
        Random random = new Random(6);
        String[] words = {"hay", "straw", "grass", "üml", "", "hay hay", "a stack of hay"};
        for (int round = 0; round < 4; round++) {
            StringBuilder text = new StringBuilder(text(random, 30_000, words));
            for (int hit = random.nextInt(6); hit > 0; hit--) {
                text.insert(random.nextInt(text.length()), hit % 2 == 0 ? "needle" : "pinZ");
            }
            requireEveryLine(text.toString());
        }
    }

    @Test
    void whatLiesAcrossTheEndOfABlockIsFound() throws Exception {
        for (int place = BLOCK - 12; place < BLOCK + 3; place++) {
            String lines = "hay\n".repeat(place / 4) + "h".repeat(place % 4);
            requireEveryLine(lines + "needle\nhay\n" + lines + "needle");
        }
        for (int place = BLOCK - 7; place < BLOCK + 2; place++) {
            String text = "h".repeat(place) + "needle\n" + "hay\n".repeat(BLOCK) + "pin\r\n";
            assertThat(scan(text.getBytes(UTF_8), "needle|pin"))
                    .isEqualTo(everyLine(text, "needle|pin"));
        }
    }

    @Test
    void wideTextIsCountedAsItPasses() throws Exception {
        String text = text(new Random(7), 30_000, "hay", "grass", "üml") + "needle\nhay\npin";
        for (Charset wide : List.of(UTF_16LE, UTF_16BE)) {
            assertThat(scan(("\ufeff" + text).getBytes(wide), "needle|pin"))
                    .isEqualTo(everyLine(text, "needle|pin"))
                    .hasSize(2);
        }
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws Exception {
        String text = "hay\n".repeat(50_000) + "needle\n";
        assertThat(scan(("\ufeff" + text).getBytes(UTF_8), "^needle"))
                .containsExactly("50001:needle");
        assertThat(scan("\ufeffneedle".getBytes(UTF_8), "^needle")).containsExactly("1:needle");
    }

    @Test
    void aFileCutOffMeanwhileIsSearchedAsFarAsItGoes() throws Exception {
        Path file = folder.resolve("text");
        Files.writeString(file, "needle\n" + "hay\n".repeat(200_000) + "needle\n");
        List<Long> found = new ArrayList<>();

        scan(
                "needle",
                (number, _, _) -> {
                    found.add(number);
                    return cutOff(file);
                });

        assertThat(found).containsExactly(1L);
    }

    private static boolean cutOff(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(3);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Random random, int count, String... words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(words[random.nextInt(words.length)]);
            text.append(" \n\n".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    private void requireEveryLine(String text) throws Exception {
        for (String pattern : PATTERNS) {
            assertThat(scan(text.getBytes(UTF_8), pattern))
                    .as(pattern)
                    .isEqualTo(everyLine(text, pattern));
        }
    }

    private List<String> scan(byte[] text, String pattern) throws Exception {
        Files.write(folder.resolve("text"), text);
        List<String> found = new ArrayList<>();
        scan(pattern, (number, line, _) -> found.add(number + ":" + line));
        return found;
    }

    private void scan(String pattern, LineScanner.Hits hits) throws Exception {
        try (SafeDirectory directory = SafeDirectory.open(folder);
                OpenFile file = directory.open(new WorkspacePath("text"))) {
            LineMatcher matcher = LineMatcher.of(pattern, false, false);
            new LineScanner(matcher, true, new Deadline(Duration.ofMinutes(1)))
                    .scan(TextFile.of(file), hits);
        }
    }

    private static List<String> everyLine(String text, String pattern) {
        List<String> found = new ArrayList<>();
        Pattern compiled = Pattern.compile(pattern);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].endsWith("\r") ? lines[i].replace("\r", "") : lines[i];
            if (compiled.matcher(line).find()) {
                found.add(i + 1 + ":" + line);
            }
        }
        return found;
    }
}
