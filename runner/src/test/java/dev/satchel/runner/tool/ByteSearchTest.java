package dev.satchel.runner.tool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
    @Test
    void whatItFindsIsWhatAPlainSearchFinds() {
        Random random = new Random(11);
        for (int i = 0; i < 50_000; i++) {
            String text = random(random, 60);
            String wanted = random(random, 5);
            int from = random.nextInt(text.length());
            ByteSearch search = new ByteSearch(wanted.getBytes(ISO_8859_1), false);
            assertThat(search.find(text.getBytes(ISO_8859_1), from, text.length()))
                    .as("%s in %s from %d", wanted, text, from)
                    .isEqualTo(text.indexOf(wanted, from));
        }
    }

    @Test
    void ignoringCaseFindsEitherCaseOfLettersOnly() {
        Random random = new Random(12);
        for (int i = 0; i < 50_000; i++) {
            String text = random(random, 60);
            String wanted = random(random, 4).toLowerCase(Locale.ROOT);
            ByteSearch search = new ByteSearch(wanted.getBytes(ISO_8859_1), true);
            assertThat(search.find(text.getBytes(ISO_8859_1), 0, text.length()))
                    .as("%s in %s", wanted, text)
                    .isEqualTo(text.toLowerCase(Locale.ROOT).indexOf(wanted));
        }
    }

    @Test
    void nothingIsFoundBeyondTheEnd() {
        byte[] bytes = "xxxxxxxxxxxxxxxxneedle".getBytes(ISO_8859_1);
        ByteSearch search = new ByteSearch("needle".getBytes(ISO_8859_1), false);
        assertThat(search.find(bytes, 0, bytes.length - 1)).isEqualTo(-1);
        assertThat(search.find(bytes, 0, bytes.length)).isEqualTo(16);
        assertThat(search.find(bytes, 17, bytes.length)).isEqualTo(-1);
    }

    @Test
    void lineFeedsAreCountedExactly() {
        Random random = new Random(13);
        byte[] bytes = new byte[10_000];
        for (int i = 0; i < 300; i++) {
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = (byte) (random.nextInt(3) == 0 || i == 0 ? '\n' : random.nextInt(256));
            }
            int from = random.nextInt(100);
            int to = bytes.length - random.nextInt(100);
            int expected = 0;
            for (int j = from; j < to; j++) {
                expected += bytes[j] == '\n' ? 1 : 0;
            }
            assertThat(LineFeeds.count(bytes, from, to)).isEqualTo(expected);
            int third = LineFeeds.nth(bytes, from, 3);
            assertThat(bytes[third]).isEqualTo((byte) '\n');
            assertThat(LineFeeds.count(bytes, from, third)).isEqualTo(2);
        }
    }

    private static String random(Random random, int maxLength) {
        String alphabet = "aAbB[{@`\u0001\u00e4z";
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(maxLength);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
