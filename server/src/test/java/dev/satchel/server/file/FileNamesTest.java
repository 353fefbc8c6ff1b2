package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {
    @ParameterizedTest
    @CsvSource({
        "report.pdf, report.pdf",
        "/etc/passwd, passwd",
        "../../up.txt, up.txt",
        "C:\\fakepath\\photo.JPG, photo.JPG",
        "a/b\\c.txt, c.txt",
        ".env, .env",
        "..., ...",
        "报告 – 最终.pdf, 报告 – 最终.pdf",
        "a%2Fb.txt, a%2Fb.txt",
        "two  spaces .txt, two  spaces .txt"
    })
    void onlyTheLeafOfANameIsKept(String given, String expected) {
        assertThat(FileNames.clean(given)).isEqualTo(expected);
    }

    @Test
    void theSameLettersAreTheSameNameHoweverTheyWereTyped() {
        assertThat(FileNames.clean("re\u0301sume\u0301.txt")).isEqualTo("r\u00e9sum\u00e9.txt");
    }

    @Test
    void directionOverridesAreRemoved() {
        assertThat(FileNames.clean("invoice\u202efdp.exe")).isEqualTo("invoicefdp.exe");
        assertThat(FileNames.clean("👩\u200d👧.png")).isEqualTo("👩\u200d👧.png");
    }

    @Test
    void anEmptyNameIsRefused() {
        List<String> bad =
                List.of(
                        "",
                        ".",
                        "..",
                        "/",
                        "a/",
                        "a/..",
                        "a\\.",
                        "   ",
                        "a\0b",
                        "a\nb",
                        "a\u007f",
                        "bad\0dir/good",
                        "half\ud83d",
                        "\ufffe",
                        "\u202e");
        for (String given : bad) {
            assertThatThrownBy(() -> FileNames.clean(given))
                    .as(given)
                    .isInstanceOf(SatchelException.class);
        }
    }

    @Test
    void aLongNameIsCutBetweenCharactersAndKeepsItsExtension() {
        String cut = FileNames.clean("👍".repeat(100) + ".tar.gz");

        assertThat(cut).isEqualTo("👍".repeat(63) + ".gz");
        assertThat(FileNames.clean("a".repeat(300)).getBytes(UTF_8)).hasSize(255);
        assertThat(FileNames.clean("a." + "b".repeat(300))).isEqualTo("a." + "b".repeat(253));
        assertThat(FileNames.clean("a".repeat(251) + ".pdf")).isEqualTo("a".repeat(251) + ".pdf");
    }

    @ParameterizedTest
    @CsvSource({
        "report.pdf, report-1.pdf",
        "archive.tar.gz, archive.tar-1.gz",
        "Makefile, Makefile-1",
        ".env, .env-1",
        "..env, ..env-1",
        ".config.json, .config-1.json",
        "trailing., trailing.-1",
        "report-1.pdf, report-1-1.pdf"
    })
    void aNumberStandsBeforeTheExtension(String name, String expected) {
        assertThat(FileNames.numbered(name, 1)).isEqualTo(expected);
    }

    @Test
    void aNumberedNameStaysWithinTheLimit() {
        String name = FileNames.clean("é".repeat(200) + ".pdf");

        String numbered = FileNames.numbered(name, 12345);

        assertThat(numbered).endsWith("é-12345.pdf");
        assertThat(numbered.getBytes(UTF_8).length).isLessThanOrEqualTo(255);
    }

    @Test
    void namesThatOnlyDifferInCaseOrFormCollide() {
        assertThat(FileNames.key("Résumé.PDF")).isEqualTo(FileNames.key("re\u0301sume\u0301.pdf"));
    }

    @Test
    void anExtensionIsWhatFollowsTheLastDot() {
        assertThat(FileNames.extension("a.tar.gz")).isEqualTo("gz");
        assertThat(FileNames.extension(".env")).isEmpty();
        assertThat(FileNames.extension("a.")).isEmpty();
        assertThat(FileNames.extension("a")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"src, src/", "src/deep/, src/deep/", "'a b/ü', 'a b/ü/'", "'', ''"})
    void aFolderIsKeptNameByName(String given, String expected) {
        assertThat(FileNames.folder(given)).isEqualTo(expected);
    }

    @Test
    void aFolderOutsideIsRefused() {
        for (String bad :
                List.of(
                        "/",
                        "/etc",
                        "..",
                        "a/../b",
                        "a//b",
                        ".",
                        "a/.",
                        "a\0b",
                        "x/".repeat(300))) {
            assertThatThrownBy(() -> FileNames.folder(bad))
                    .as(bad)
                    .isInstanceOf(SatchelException.class);
        }
    }

    @Test
    void theNumberAndTheExtensionAreTheLeafs() {
        assertThat(FileNames.numbered("v1.2/notes", 1)).isEqualTo("v1.2/notes-1");
        assertThat(FileNames.extension("v1.2/notes")).isEmpty();
        assertThat(FileNames.leaf("v1.2/notes.md")).isEqualTo("notes.md");
    }
}
