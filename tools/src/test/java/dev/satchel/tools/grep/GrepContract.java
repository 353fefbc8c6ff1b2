package dev.satchel.tools.grep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.FileToolTest;
import dev.satchel.tools.document.ScriptedDocuments;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What both ways of searching do alike. */
abstract class GrepContract extends FileToolTest {
    final ScriptedDocuments documents = new ScriptedDocuments();

    @Test
    void resultsInDocumentsNameThePage() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("hay", "hay\nneedle 1\nhay", "Needle 2"));
        file("sub/b.txt", "needle 3").file("zip.pdf", "no document but a needle");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'a.pdf'}"))
                .isEqualTo("a.pdf:page 2:2:needle 1");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'a.pdf', '-i': true, '-C': 1}"))
                .isEqualTo(
                        "a.pdf:page 2-1-hay\na.pdf:page 2:2:needle 1\na.pdf:page 2-3-hay\n"
                                + "a.pdf:page 3:1:Needle 2");
        assertThat(succeeds("{'pattern': 'needle'}")).isEqualTo("sub/b.txt\na.pdf\nzip.pdf");
        assertThat(succeeds("{'pattern': 'needle', 'output_mode': 'count', '-i': true}"))
                .isEqualTo("sub/b.txt:1\na.pdf:2\nzip.pdf:1");
        assertThat(succeeds("{'pattern': 'needle', 'output_mode': 'content', 'glob': '*.pdf'}"))
                .isEqualTo("a.pdf:page 2:2:needle 1\nzip.pdf:1:no document but a needle");
        assertThat(succeeds("{'pattern': 'hay.needle', 'path': 'a.pdf', 'multiline': true}"))
                .isEqualTo("a.pdf:page 2:1:hay\na.pdf:page 2:2:needle 1");
    }

    @Test
    void aNotebookIsSearchedByItsCellsAndHtmlAsText() throws Exception {
        file("a.ipynb", ScriptedDocuments.notebook("hay", "hay\nneedle 1"));
        file("b.html", "<p>needle 2</p>").file("c.ipynb", "needle 3");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'a.ipynb'}"))
                .isEqualTo("a.ipynb:cell 2:2:needle 1");
        assertThat(succeeds("{'pattern': 'needle', 'output_mode': 'content'}"))
                .isEqualTo(
                        "b.html:1:<p>needle 2</p>\na.ipynb:cell 2:2:needle 1\nc.ipynb:1:needle 3");
        assertThat(succeeds("{'pattern': 'needle', 'type': 'ipynb'}"))
                .isEqualTo("a.ipynb\nc.ipynb");
        assertThat(documents.read).containsOnly("a.ipynb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.zip", "a.tar", "a.tgz", "a.tar.gz", "a.gz"})
    void theListOfAnArchiveIsSearched(String name) throws Exception {
        file(name, ScriptedDocuments.zip("hay.txt\nneedle.txt"));
        assertThat(succeeds("{'pattern': 'needle', 'output_mode': 'content'}"))
                .isEqualTo(name + ":2:needle.txt");
        assertThat(succeeds("{'pattern': 'needle', 'type': 'zip'}")).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dotm", "xltm", "potx", "potm", "ppsm", "mht", "mhtml", "docm", "dotx", "ott",
                "ots", "otp", "PDF"
            })
    void documentsOfAllNamesAreSearched(String extension) throws Exception {
        file("a." + extension, ScriptedDocuments.pdf("hay", "needle"));
        assertThat(succeeds("{'pattern': 'needle', 'output_mode': 'content'}"))
                .isEqualTo("a." + extension + ":page 2:1:needle");
    }

    @Test
    void picturesAreSearchedOnlyWhereOcrIsOn() throws Exception {
        file("a.gif", ScriptedDocuments.PICTURE + "hay\nneedle 1");
        file("b.tif", ScriptedDocuments.SCAN + "needle 2").file("c.txt", "needle 3");
        file("d.PNG", "no picture but a needle");
        String content = "{'pattern': 'needle', 'output_mode': 'content'";
        assertThat(succeeds(content + "}"))
                .isEqualTo("c.txt:1:needle 3\nd.PNG:1:no picture but a needle");
        assertThat(documents.read).isEmpty();

        documents.readsPictures = true;
        assertThat(succeeds(content + "}").lines())
                .containsExactlyInAnyOrder(
                        "a.gif:2:needle 1",
                        "b.tif:1:needle 2",
                        "c.txt:1:needle 3",
                        "d.PNG:1:no picture but a needle");
        assertThat(succeeds(content + ", 'paths': 'a.gif'}")).isEqualTo("a.gif:2:needle 1");
        assertThat(succeeds(content + ", 'glob': '*.tif'}")).isEqualTo("b.tif:1:needle 2");
        assertThat(documents.read).containsExactly("a.gif", "b.tif", "a.gif", "b.tif");
    }

    @Test
    void documentsAreNotReadWhereTheirNamesAreExcluded() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("needle")).file("b.txt", "needle");
        assertThat(succeeds("{'pattern': 'needle', 'glob': '*.txt'}")).isEqualTo("b.txt");
        assertThat(succeeds("{'pattern': 'needle', 'type': 'txt'}")).isEqualTo("b.txt");
        assertThat(documents.read).isEmpty();
        assertThat(succeeds("{'pattern': 'needle', 'type': 'pdf'}")).isEqualTo("a.pdf");
    }

    @Test
    void aSearchReadsSomeNewDocumentsAndNamesTheOthers() throws Exception {
        documents.perSearch = 2;
        for (String name : List.of("1.pdf", "2.pdf", "3.pdf", "4.pdf", "5.pdf")) {
            file(name, ScriptedDocuments.pdf("needle"));
        }
        assertThat(succeeds("{'pattern': 'needle'}"))
                .isEqualTo(
                        "1.pdf\n2.pdf\n(3 documents were not read yet: 3.pdf, 4.pdf, 5.pdf."
                                + " Search again to read more of them, or name one.)");
        assertThat(succeeds("{'pattern': 'needle'}"))
                .startsWith("1.pdf\n2.pdf\n3.pdf\n4.pdf\n(1 documents were not read yet: 5.pdf.");
        assertThat(succeeds("{'pattern': 'needle'}"))
                .isEqualTo("1.pdf\n2.pdf\n3.pdf\n4.pdf\n5.pdf");
    }

    @Test
    void documentThatCannotBeReadIsNamed() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("locked")).file("b.txt", "needle");
        assertThat(succeeds("{'pattern': 'needle'}"))
                .isEqualTo("b.txt\n(Cannot read a.pdf. It needs a password.)");
    }

    @Test
    void aSingleFileGivesItsLines() throws Exception {
        file("f.txt", "apple\nbanana\napricot\n");
        assertThat(succeeds("{'pattern': '^ap', 'path': 'f.txt'}"))
                .isEqualTo("f.txt:1:apple\nf.txt:3:apricot");
        assertThat(succeeds("{'pattern': '^apple', 'paths': '/root/workspace/f.txt'}"))
                .isEqualTo("/root/workspace/f.txt:1:apple");
    }

    @Test
    void aDirectoryGivesTheFilesThatMatch() throws Exception {
        file("a/x", "needle").file("b", "needle").file("c", "hay").file(".git/y", "needle");
        assertThat(succeeds("{'pattern': 'needle'}")).isEqualTo("a/x\nb");
        assertThat(succeeds("{'pattern': 'needle', 'paths': ['/root/workspace/a', 'c']}"))
                .isEqualTo("/root/workspace/a/x");
    }

    @Test
    void modesMayBeChosen() throws Exception {
        file("a", "x\ny\nx").file("b", "x");
        assertThat(succeeds("{'pattern': 'x', 'output_mode': 'count'}")).isEqualTo("a:2\nb:1");
        assertThat(succeeds("{'pattern': 'x', 'output_mode': 'content', '-n': false}"))
                .isEqualTo("a:x\na:x\nb:x");
        assertThat(succeeds("{'pattern': 'x', 'path': 'a', 'output_mode': 'files_with_matches'}"))
                .isEqualTo("a");
    }

    @Test
    void noMatchIsNoError() throws Exception {
        file("a", "x");
        assertThat(succeeds("{'pattern': 'y', 'path': 'a'}")).isEqualTo("No matches found.");
    }

    @Test
    void missingPathsAreIgnoredUnlessAllAreMissing() throws Exception {
        file("a", "x");
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
        assertThat(succeeds("{'pattern': 'x', 'paths': ['no', 'a']}")).isEqualTo("a");
        assertThat(fails("{'pattern': 'root', 'path': 'out'}"))
                .isEqualTo("Path out does not exist. Please provide a valid path.");
        assertThat(fails("{'pattern': 'root', 'path': '/etc/passwd'}"))
                .isEqualTo("Path /etc/passwd does not exist. Please provide a valid path.");
    }

    @Test
    void linesAroundAMatchAreShown() throws Exception {
        file("f", "1\n2\n3 x\n4\n5\n6\n7\n8\n9 x\n10 x\n11\n");
        assertThat(succeeds("{'pattern': 'x', 'path': 'f', '-C': 1}"))
                .isEqualTo("f-2-2\nf:3:3 x\nf-4-4\n--\nf-8-8\nf:9:9 x\nf:10:10 x\nf-11-11");
        assertThat(succeeds("{'pattern': '9', 'path': 'f', '-B': 2, '-n': false}"))
                .isEqualTo("f-7\nf-8\nf:9 x");
        assertThat(succeeds("{'pattern': '3', 'path': 'f', '-A': 20}"))
                .startsWith("f:3:3 x\nf-4-4\n")
                .endsWith("\nf-11-11");
    }

    @Test
    void caseMayBeIgnored() throws Exception {
        file("f", "Straße\nSTRASSE\nKelvin\nkELVIN\n\u212aelvin\nmass\nMa\u017fs\n");
        assertThat(succeeds("{'pattern': 'kelvin', 'path': 'f', '-i': true}"))
                .isEqualTo("f:3:Kelvin\nf:4:kELVIN\nf:5:\u212aelvin");
        assertThat(succeeds("{'pattern': 'MASS', 'path': 'f', '-i': true}"))
                .isEqualTo("f:6:mass\nf:7:Ma\u017fs");
        assertThat(succeeds("{'pattern': '(?i)straße', 'path': 'f'}")).isEqualTo("f:1:Straße");
    }

    @Test
    void fixedStringsNeedNoEscapes() throws Exception {
        file("f", "a.b(c\naxb(c\n");
        assertThat(succeeds("{'pattern': 'a.b(c', 'path': 'f', 'fixed_strings': true}"))
                .isEqualTo("f:1:a.b(c");
    }

    @Test
    void filesAreChosenByGlobAndType() throws Exception {
        file("a.py", "x").file("src/b.ts", "x").file("src/c.tsx", "x").file("d.md", "x");
        assertThat(succeeds("{'pattern': 'x', 'glob': '*.{ts,tsx}'}"))
                .isEqualTo("src/b.ts\nsrc/c.tsx");
        assertThat(succeeds("{'pattern': 'x', 'glob': 'src/*.ts'}")).isEqualTo("src/b.ts");
        assertThat(succeeds("{'pattern': 'x', 'type': 'py'}")).isEqualTo("a.py");
        assertThat(fails("{'pattern': 'x', 'type': 'cobol'}"))
                .startsWith("type must be one of c, cpp,");
    }

    @Test
    void manyResultsComeInPages() throws Exception {
        file("f", lines(600, "hit "));
        String first = succeeds("{'pattern': 'hit', 'path': 'f'}");
        assertThat(first)
                .startsWith("f:1:hit 1\n")
                .endsWith(
                        "f:250:hit 250\n(Showing 1-250 of at least 251 results. Use offset=250 to"
                                + " continue.)");
        assertThat(succeeds("{'pattern': 'hit', 'path': 'f', 'offset': 250}"))
                .startsWith("f:251:hit 251\n");
        assertThat(succeeds("{'pattern': 'hit', 'path': 'f', 'offset': 598}"))
                .isEqualTo("f:599:hit 599\nf:600:hit 600");
        assertThat(succeeds("{'pattern': 'hit', 'path': 'f', 'head_limit': 2}"))
                .isEqualTo(
                        "f:1:hit 1\nf:2:hit 2\n"
                                + "(Showing 1-2 of at least 3 results. Use offset=2 to continue.)");
        assertThat(succeeds("{'pattern': 'hit', 'path': 'f', 'offset': 700}"))
                .isEqualTo("No matches found from offset 700 on; there are 600.");
    }

    @Test
    void outputIsCappedInBytes() throws Exception {
        file("f", lines(100, "x".repeat(1000)));
        String text = succeeds("{'pattern': 'x', 'path': 'f'}");
        assertThat(text.length()).isLessThan(21 * 1024);
        assertThat(text).endsWith("Use offset=20 to continue.)");
    }

    @Test
    void aLongLineIsAWindowAroundTheMatch() throws Exception {
        file("f", "a".repeat(5_000_000) + "needle" + "b".repeat(5_000_000));
        String text = succeeds("{'pattern': 'needle', 'path': 'f'}");
        assertThat(text)
                .hasSize(4 + 2002)
                .startsWith("f:1:…aaa")
                .endsWith("bbb…")
                .contains("aneedleb");
    }

    @Test
    void linesAcrossBlocksAreFoundOnceWithTheirNumbers() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 60_000; i++) {
            text.append("row ").append(i).append(i % 20_000 == 0 ? " needle\r\n" : "\n");
        }
        file("f", text.toString());
        String found =
                "f:20000:row 20000 needle\nf:40000:row 40000 needle\nf:60000:row 60000 needle";
        assertThat(succeeds("{'pattern': 'needle$', 'path': 'f'}")).isEqualTo(found);
        assertThat(succeeds("{'pattern': '[n]ee[d]le$', 'path': 'f'}")).isEqualTo(found);
    }

    @Test
    void otherEncodingsAreSearched() throws Exception {
        file("wide", "\ufeffeins\nzwei ü\n".getBytes(StandardCharsets.UTF_16LE));
        file("mark", "\ufeffeins\n");
        file("broken", new byte[] {'a', (byte) 0xff, 'b', '\n'});
        assertThat(succeeds("{'pattern': 'ü', 'path': 'wide'}")).isEqualTo("wide:2:zwei ü");
        assertThat(succeeds("{'pattern': '^eins', 'path': 'mark'}")).isEqualTo("mark:1:eins");
        assertThat(succeeds("{'pattern': 'a.b', 'path': 'broken'}")).isEqualTo("broken:1:a\ufffdb");
        assertThat(succeeds("{'pattern': '\ufffd', 'path': 'broken'}"))
                .isEqualTo("broken:1:a\ufffdb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a[^x]b",
                "a[\ufffa-\uffff]b",
                "a\ufffd+b",
                "a\\\\Db",
                "a\\\\W*b",
                "a\\\\x{fffd}b",
                "a\\\\pSb",
                "(?s:a.b)",
                "a(?:\\\\D)b",
                "a\\\\b",
                "[a-c]+"
            })
    void invalidBytesMatchAsReplacementCharacters(String pattern) throws Exception {
        file("broken", new byte[] {'a', (byte) 0xff, 'b', '\n'});
        assertThat(succeeds("{'pattern': '" + pattern + "', 'path': 'broken'}"))
                .isEqualTo("broken:1:a\ufffdb");
    }

    @Test
    void binariesAreSkippedInDirectoriesAndNamedAlone() throws Exception {
        file("b", new byte[] {0, 'n', 'e', 'e', 'd', 'l', 'e'}).file("t", "needle");
        assertThat(succeeds("{'pattern': 'needle'}")).isEqualTo("t");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'b'}"))
                .isEqualTo("Binary file b matches");
    }

    @Test
    void matchesMaySpanLines() throws Exception {
        file("f", "a\nstart\r\nmiddle\nend\nz\nstart end\n");
        assertThat(succeeds("{'pattern': 'start.*?end', 'path': 'f', 'multiline': true}"))
                .isEqualTo("f:2:start\nf:3:middle\nf:4:end\nf:6:start end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(.*a){12}b",
                "(a|b)*c",
                "(a+)+$",
                "(x+x+)+y",
                "^(([a-z])+.)+[A-Z]([a-z])+$"
            })
    void evilRegexesEndQuickly(String pattern) throws Exception {
        file("f", "a".repeat(40_000) + "\n" + "x".repeat(5000) + "\n");
        assertThat(succeeds("{'pattern': '" + pattern + "', 'path': 'f'}")).isNotNull();
    }

    /** Written out it would take gigabytes. */
    @Test
    void aRegexThatUnrollsToMillionsOfStatesIsRefused() throws Exception {
        file("f", "a\n");
        String huge = "a{1000}".repeat(20_000);
        assertThat(fails("{'pattern': '" + huge + "', 'path': 'f'}"))
                .isEqualTo("pattern is too large a regex; search for less at once");
        assertThat(fails("{'pattern': '" + huge + "', 'path': 'f', 'multiline': true}"))
                .startsWith("pattern is too large");
        assertThat(fails("{'pattern': 'a', 'glob': '" + "**/".repeat(50_000) + "'}"))
                .isEqualTo("glob has more than 1000 characters");
    }

    @Test
    void badArgumentsNameTheField() throws Exception {
        assertThat(fails("{}")).isEqualTo("pattern is required");
        assertThat(fails("{'pattern': ''}")).isEqualTo("pattern must not be empty");
        assertThat(fails("{'pattern': '(?=x)'}")).startsWith("pattern is not a regex RE2");
        assertThat(fails("{'pattern': 'x', '-A': 21}")).isEqualTo("-A must be from 0 to 20");
        assertThat(fails("{'pattern': 'x', 'head_limit': 0}")).startsWith("head_limit must");
        assertThat(fails("{'pattern': 'x', 'paths': [1]}")).isEqualTo("paths must hold strings");
        assertThat(fails("{'pattern': 'x', 'output_mode': 'all'}"))
                .isEqualTo("output_mode must be content, files_with_matches or count");
    }

    @Test
    void nothingInAPatternOrPathIsReadAsAnOption() throws Exception {
        file("-r", "--pre=id\n").file("--files", "-e\n").file("-", "-\n");
        assertThat(succeeds("{'pattern': '--pre=id'}")).isEqualTo("-r");
        assertThat(succeeds("{'pattern': '-e', 'path': '--files'}")).isEqualTo("--files:1:-e");
        assertThat(succeeds("{'pattern': '^-$', 'path': '-'}")).isEqualTo("-:1:-");
        assertThat(succeeds("{'pattern': '$(touch x)`touch x`', 'fixed_strings': true}"))
                .isEqualTo("No matches found.");
        assertThat(succeeds("{'pattern': 'pre', 'glob': '--pre=id'}"))
                .isEqualTo("No matches found.");
        assertThat(root.resolve("x")).doesNotExist();
    }

    @Test
    void namesMayHoldAnything() throws Exception {
        file("a b'\"$x", "needle").file("line\nfeed", "needle").file("ümlaut", "needle");
        Process made =
                new ProcessBuilder("sh", "-c", "echo needle > \"$(printf 'n\\377')\"")
                        .directory(root.toFile())
                        .start();
        assertThat(made.waitFor()).isZero();
        String invalid = "n\uefff"; // as NameBytes writes the byte 0xff
        assertThat(succeeds("{'pattern': 'needle'}"))
                .isEqualTo("a b'\"$x\nline\nfeed\n" + invalid + "\nümlaut");
        assertThat(succeeds("{'pattern': 'needle', 'path': '" + invalid + "'}"))
                .isEqualTo(invalid + ":1:needle");
    }

    @Test
    void hiddenAndIgnoredFilesAreSearchedAndLinksAreNot() throws Exception {
        file(".gitignore", "*\n").file(".ignore", "*\n").file(".hidden/a", "needle");
        file("d/b", "needle");
        Files.createSymbolicLink(root.resolve("link"), Path.of("d/b"));
        Files.createSymbolicLink(root.resolve("linked"), Path.of("d"));
        assertThat(succeeds("{'pattern': 'needle'}")).isEqualTo(".hidden/a\nd/b");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'link'}")).isEqualTo("link:1:needle");
    }

    @Test
    void everyPatternOfRe2IsAccepted() throws Exception {
        file("f", "if (x) {\na{,2}\nx.y\nxzy\nA\n");
        assertThat(succeeds("{'pattern': '\\\\) {', 'path': 'f'}")).isEqualTo("f:1:if (x) {");
        assertThat(succeeds("{'pattern': 'a{,2}', 'path': 'f'}")).isEqualTo("f:2:a{,2}");
        assertThat(succeeds("{'pattern': '\\\\Qx.y\\\\E', 'path': 'f'}")).isEqualTo("f:3:x.y");
        assertThat(succeeds("{'pattern': '\\\\101', 'path': 'f'}")).isEqualTo("f:5:A");
        assertThat(succeeds("{'pattern': 'x.y\\nxzy', 'path': 'f'}"))
                .isEqualTo("No matches found.");
        assertThat(succeeds("{'pattern': 'y\\nx', 'path': 'f', 'multiline': true}"))
                .isEqualTo("f:3:x.y\nf:4:xzy");
    }

    @Test
    void aWindowOfALongLineIsWholeCharacters() throws Exception {
        file("f", "short\n" + "ä".repeat(50_000) + "needle" + "😀".repeat(50_000) + "\r\nx\n");
        String window = "f:2:…" + "ä".repeat(1000) + "needle" + "😀".repeat(497) + "…";
        assertThat(succeeds("{'pattern': 'needle', 'path': 'f'}")).isEqualTo(window);
        assertThat(succeeds("{'pattern': 'n[e]+dle', 'path': 'f'}")).isEqualTo(window);
        assertThat(succeeds("{'pattern': '^x$', 'path': 'f', '-B': 1}"))
                .startsWith("f-2-äää")
                .endsWith("(line truncated to 2000 chars)\nf:3:x");
    }

    @Test
    void invalidBytesBeforeALongLineDoNotShiftItsWindow() throws Exception {
        byte[] text = ("~~~~\n" + "a".repeat(20_000) + "needle\n").getBytes(UTF_8);
        Arrays.fill(text, 0, 4, (byte) 0xff);
        file("f", text);
        String window = "f:2:…" + "a".repeat(1994) + "needle";
        assertThat(succeeds("{'pattern': 'needle', 'path': 'f'}")).isEqualTo(window);
        assertThat(succeeds("{'pattern': 'n..dle', 'path': 'f'}")).isEqualTo(window);
    }

    @Test
    void globsAndTypesBothApply() throws Exception {
        file("src/a.py", "x").file("src/a.PYI", "x").file("src/d/b.py", "x").file("!c.py", "x");
        file("b[1].py", "x");
        assertThat(succeeds("{'pattern': 'x', 'glob': 'src/*', 'type': 'py'}"))
                .isEqualTo("src/a.PYI\nsrc/a.py");
        assertThat(succeeds("{'pattern': 'x', 'glob': '!*.py'}")).isEqualTo("!c.py");
        assertThat(succeeds("{'pattern': 'x', 'glob': 'b[[]*'}")).isEqualTo("b[1].py");
        assertThat(succeeds("{'pattern': 'x', 'glob': 'd/*', 'path': 'src'}"))
                .isEqualTo("src/d/b.py");
        assertThat(succeeds("{'pattern': 'x', 'glob': '**/b.py'}")).isEqualTo("src/d/b.py");
    }

    @Test
    void overlappingPathsGiveEachResultOnce() throws Exception {
        file("d/a", "1 x\n2\n3 x\n");
        assertThat(succeeds("{'pattern': 'x', 'paths': ['d', 'd', 'd'], '-C': 1}"))
                .isEqualTo("d/a");
    }

    private static String lines(int count, String prefix) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> prefix + i + "\n")
                .collect(Collectors.joining());
    }
}
