package dev.satchel.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** RTF, HTML, mail, notebooks, archives and old Office files. */
class TextDocumentFuzzTest {
    private static final List<String> NAMES =
            List.of("a.rtf", "a.html", "a.eml", "a.ipynb", "a.tar", "a.zip", "a.gz", "a.doc");

    private static final List<String> BEGINNINGS =
            List.of("{\\rtf1", "<", "Subject: ", "{", "", "PK\3\4", "\u001f\u008b", "");

    @TempDir(cleanup = CleanupMode.ALWAYS)
    static Path folder;

    static Stream<Arguments> seeds() {
        return Stream.of(
                seed(
                        0,
                        "\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset128 x;}}\\f0\\'93\\'fa\\u8364?{\\footnote n}\\cell\\row\\bin3 abc\\par}"),
                seed(
                        1,
                        "html><ul><li>a<ol><li>b</ol></ul><table><tr><td colspan=9>c<a href=x>d</a>"),
                seed(
                        2,
                        "=?utf-8?Q?=C3=A4?=\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html; charset=x\n\n<p>y\n--b\nContent-Disposition: attachment; filename*0*=utf-8''a%20b\n\nz\n--b--\n"),
                seed(
                        3,
                        "\"cells\":[{\"cell_type\":\"code\",\"source\":[\"a\"],\"outputs\":[{\"data\":{\"text/html\":\"<b>\"}},{\"ename\":\"E\",\"traceback\":[\"t\"]}]}]}"),
                seed(
                        4,
                        "a".repeat(100)
                                + "0000644\0".repeat(3)
                                + "00000000010\0"
                                + "14000000000\0"),
                seed(6, "\10\10\0\0\0\0\0\3name\0"));
    }

    private static Arguments seed(int format, String text) {
        return Arguments.of(format, text.getBytes(ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyDocumentHasAClearEnd(@InRange(min = 0, max = 7) int format, byte @NotNull [] content)
            throws IOException {
        byte[] beginning = BEGINNINGS.get(format).getBytes(ISO_8859_1);
        byte[] whole = new byte[beginning.length + content.length];
        System.arraycopy(beginning, 0, whole, 0, beginning.length);
        System.arraycopy(content, 0, whole, beginning.length, content.length);
        FuzzedDocument.check(folder, NAMES.get(format), whole);
    }
}
