package dev.satchel.runner.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineScannerTest {
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
        "e{2}"
    };

    @Test
    void aScanFindsTheLinesThatMatchingEveryLineFinds() throws Exception {
        Random random = new Random(5);
        String[] words = {"hay", "needle", "Needle", "pin", "üml", "", "x".repeat(3000)};
        for (int round = 0; round < 20; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 2000; i++) {
                text.append(words[random.nextInt(random.nextInt(5) == 0 ? 7 : 6)]);
                text.append(" \n\n".charAt(random.nextInt(3)));
            }
            for (String pattern : PATTERNS) {
                assertThat(scan(text.toString(), pattern))
                        .as(pattern)
                        .isEqualTo(everyLine(text.toString(), pattern));
            }
        }
    }

    private static List<String> scan(String text, String pattern) throws Exception {
        List<String> found = new ArrayList<>();
        LineMatcher matcher = LineMatcher.of(pattern, false, false);
        new LineScanner(matcher, true, new Deadline(Duration.ofMinutes(1)))
                .scan(
                        new ByteArrayInputStream(text.getBytes(UTF_8)),
                        (number, line, _) -> found.add(number + ":" + line));
        return found;
    }

    private static List<String> everyLine(String text, String pattern) {
        List<String> found = new ArrayList<>();
        Pattern compiled = Pattern.compile(pattern);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (compiled.matcher(lines[i]).find()) {
                found.add(i + 1 + ":" + lines[i]);
            }
        }
        return found;
    }
}
