package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrepToolTest extends ToolTest {
    @Test
    void oneFileIsAnsweredWithItsLines() throws Exception {
        bench.file("f.txt", "apple\nbanana\napricot\n");
        assertThat(succeeds("grep", "{'pattern': '^ap', 'path': 'f.txt'}"))
                .isEqualTo("f.txt:1:apple\nf.txt:3:apricot");
        assertThat(succeeds("grep", "{'pattern': '^apple', 'paths': '/root/workspace/f.txt'}"))
                .isEqualTo("/root/workspace/f.txt:1:apple");
    }

    @Test
    void aDirectoryIsAnsweredWithItsFiles() throws Exception {
        bench.file("a/x", "needle").file("b", "needle").file("c", "hay").file(".git/y", "needle");
        assertThat(succeeds("grep", "{'pattern': 'needle'}")).isEqualTo("a/x\nb");
        assertThat(succeeds("grep", "{'pattern': 'needle', 'paths': ['/root/workspace/a', 'c']}"))
                .isEqualTo("/root/workspace/a/x");
    }

    @Test
    void modesMayBeChosen() throws Exception {
        bench.file("a", "x\ny\nx").file("b", "x");
        assertThat(succeeds("grep", "{'pattern': 'x', 'output_mode': 'count'}"))
                .isEqualTo("a:2\nb:1");
        assertThat(succeeds("grep", "{'pattern': 'x', 'output_mode': 'content', '-n': false}"))
                .isEqualTo("a:x\na:x\nb:x");
        assertThat(
                        succeeds(
                                "grep",
                                "{'pattern': 'x', 'path': 'a', 'output_mode': 'files_with_matches'}"))
                .isEqualTo("a");
    }

    @Test
    void noMatchIsNoError() throws Exception {
        bench.file("a", "x");
        assertThat(succeeds("grep", "{'pattern': 'y', 'path': 'a'}"))
                .isEqualTo("No matches found.");
    }

    @Test
    void missingPathsArePassedOverUnlessAllAreMissing() throws Exception {
        bench.file("a", "x");
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
        assertThat(succeeds("grep", "{'pattern': 'x', 'paths': ['no', 'a']}")).isEqualTo("a");
        assertThat(fails("grep", "{'pattern': 'root', 'path': 'out'}"))
                .isEqualTo("Path out does not exist. Please provide a valid path.");
        assertThat(fails("grep", "{'pattern': 'root', 'path': '/etc/passwd'}"))
                .isEqualTo("Path /etc/passwd does not exist. Please provide a valid path.");
    }

    @Test
    void linesAroundAMatchAreShown() throws Exception {
        bench.file("f", "1\n2\n3 x\n4\n5\n6\n7\n8\n9 x\n10 x\n11\n");
        assertThat(succeeds("grep", "{'pattern': 'x', 'path': 'f', '-C': 1}"))
                .isEqualTo("f-2-2\nf:3:3 x\nf-4-4\n--\nf-8-8\nf:9:9 x\nf:10:10 x\nf-11-11");
        assertThat(succeeds("grep", "{'pattern': '9', 'path': 'f', '-B': 2, '-n': false}"))
                .isEqualTo("f-7\nf-8\nf:9 x");
        assertThat(succeeds("grep", "{'pattern': '3', 'path': 'f', '-A': 20}"))
                .startsWith("f:3:3 x\nf-4-4\n")
                .endsWith("\nf-11-11");
    }

    @Test
    void caseMayBeIgnored() throws Exception {
        bench.file("f", "Straße\nSTRASSE\nKelvin\nkELVIN\n\u212aelvin\nmass\nMa\u017fs\n");
        assertThat(succeeds("grep", "{'pattern': 'kelvin', 'path': 'f', '-i': true}"))
                .isEqualTo("f:3:Kelvin\nf:4:kELVIN\nf:5:\u212aelvin");
        assertThat(succeeds("grep", "{'pattern': 'MASS', 'path': 'f', '-i': true}"))
                .isEqualTo("f:6:mass\nf:7:Ma\u017fs");
        assertThat(succeeds("grep", "{'pattern': '(?i)straße', 'path': 'f'}"))
                .isEqualTo("f:1:Straße");
    }

    @Test
    void plainTextNeedsNoEscapes() throws Exception {
        bench.file("f", "a.b(c\naxb(c\n");
        assertThat(succeeds("grep", "{'pattern': 'a.b(c', 'path': 'f', 'fixed_strings': true}"))
                .isEqualTo("f:1:a.b(c");
    }

    @Test
    void filesAreChosenByGlobAndType() throws Exception {
        bench.file("a.py", "x").file("src/b.ts", "x").file("src/c.tsx", "x").file("d.md", "x");
        assertThat(succeeds("grep", "{'pattern': 'x', 'glob': '*.{ts,tsx}'}"))
                .isEqualTo("src/b.ts\nsrc/c.tsx");
        assertThat(succeeds("grep", "{'pattern': 'x', 'glob': 'src/*.ts'}")).isEqualTo("src/b.ts");
        assertThat(succeeds("grep", "{'pattern': 'x', 'type': 'py'}")).isEqualTo("a.py");
        assertThat(fails("grep", "{'pattern': 'x', 'type': 'cobol'}"))
                .startsWith("type must be one of c, cpp,");
    }

    @Test
    void manyResultsComeInPages() throws Exception {
        bench.file("f", lines(600, "hit "));
        String first = succeeds("grep", "{'pattern': 'hit', 'path': 'f'}");
        assertThat(first)
                .startsWith("f:1:hit 1\n")
                .endsWith(
                        "f:250:hit 250\n(Showing 1-250 of at least 251 results. Use offset=250 to"
                                + " continue.)");
        assertThat(succeeds("grep", "{'pattern': 'hit', 'path': 'f', 'offset': 250}"))
                .startsWith("f:251:hit 251\n");
        assertThat(succeeds("grep", "{'pattern': 'hit', 'path': 'f', 'offset': 598}"))
                .isEqualTo("f:599:hit 599\nf:600:hit 600");
        assertThat(succeeds("grep", "{'pattern': 'hit', 'path': 'f', 'head_limit': 2}"))
                .isEqualTo(
                        "f:1:hit 1\nf:2:hit 2\n"
                                + "(Showing 1-2 of at least 3 results. Use offset=2 to continue.)");
        assertThat(succeeds("grep", "{'pattern': 'hit', 'path': 'f', 'offset': 700}"))
                .isEqualTo("No matches found from offset 700 on; there are 600.");
    }

    @Test
    void outputIsCappedInBytes() throws Exception {
        bench.file("f", lines(100, "x".repeat(1000)));
        String text = succeeds("grep", "{'pattern': 'x', 'path': 'f'}");
        assertThat(text.length()).isLessThan(21 * 1024);
        assertThat(text).endsWith("Use offset=20 to continue.)");
    }

    @Test
    void aLongLineIsAWindowAroundTheMatch() throws Exception {
        bench.file("f", "a".repeat(5_000_000) + "needle" + "b".repeat(5_000_000));
        String text = succeeds("grep", "{'pattern': 'needle', 'path': 'f'}");
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
        bench.file("f", text.toString());
        String found =
                "f:20000:row 20000 needle\nf:40000:row 40000 needle\nf:60000:row 60000 needle";
        assertThat(succeeds("grep", "{'pattern': 'needle$', 'path': 'f'}")).isEqualTo(found);
        assertThat(succeeds("grep", "{'pattern': '[n]ee[d]le$', 'path': 'f'}")).isEqualTo(found);
    }

    @Test
    void encodingsAreRead() throws Exception {
        bench.file("wide", "\ufeffeins\nzwei ü\n".getBytes(StandardCharsets.UTF_16LE));
        bench.file("mark", "\ufeffeins\n");
        bench.file("broken", new byte[] {'a', (byte) 0xff, 'b', '\n'});
        assertThat(succeeds("grep", "{'pattern': 'ü', 'path': 'wide'}")).isEqualTo("wide:2:zwei ü");
        assertThat(succeeds("grep", "{'pattern': '^eins', 'path': 'mark'}"))
                .isEqualTo("mark:1:eins");
        assertThat(succeeds("grep", "{'pattern': 'a.b', 'path': 'broken'}"))
                .isEqualTo("broken:1:a\ufffdb");
        assertThat(succeeds("grep", "{'pattern': '\ufffd', 'path': 'broken'}"))
                .isEqualTo("broken:1:a\ufffdb");
    }

    @Test
    void binariesAreSkippedInDirectoriesAndNamedAlone() throws Exception {
        bench.file("b", new byte[] {0, 'n', 'e', 'e', 'd', 'l', 'e'}).file("t", "needle");
        assertThat(succeeds("grep", "{'pattern': 'needle'}")).isEqualTo("t");
        assertThat(succeeds("grep", "{'pattern': 'needle', 'path': 'b'}"))
                .isEqualTo("Binary file b matches");
    }

    @Test
    void matchesMaySpanLines() throws Exception {
        bench.file("f", "a\nstart\r\nmiddle\nend\nz\nstart end\n");
        assertThat(succeeds("grep", "{'pattern': 'start.*?end', 'path': 'f', 'multiline': true}"))
                .isEqualTo("f:2:start\nf:3:middle\nf:4:end\nf:6:start end");
        bench.file("big", "x".repeat(9_000_000));
        assertThat(fails("grep", "{'pattern': 'x', 'path': 'big', 'multiline': true}"))
                .contains("multiline searches files up to 8 MB");
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
        bench.file("f", "a".repeat(40_000) + "\n" + "x".repeat(5000) + "\n");
        assertThat(succeeds("grep", "{'pattern': '" + pattern + "', 'path': 'f'}")).isNotNull();
    }

    /** Written out it would take gigabytes, before the clock is asked for the first time. */
    @Test
    void aRegexThatUnrollsToMillionsOfStatesIsRefused() throws Exception {
        bench.file("f", "a\n");
        String huge = "a{1000}".repeat(20_000);
        assertThat(fails("grep", "{'pattern': '" + huge + "', 'path': 'f'}"))
                .isEqualTo("pattern is too large a regex; search for less at once");
        assertThat(fails("grep", "{'pattern': '" + huge + "', 'path': 'f', 'multiline': true}"))
                .startsWith("pattern is too large");
        assertThat(fails("grep", "{'pattern': 'a', 'glob': '" + "**/".repeat(50_000) + "'}"))
                .isEqualTo("glob has more than 1000 characters");
    }

    /** A class of Unicode, as the quick filter for lines does not read those. */
    @Test
    void anEvilRegexOnAHugeLineIsStoppedByTheClock() throws Exception {
        bench.file("f", "a".repeat(15_000_000));
        Tool grep = new GrepTool(Duration.ofMillis(50));
        ToolResult result =
                grep.call(
                        Json.MAPPER.readTree(
                                "{\"pattern\": \"(.*a){100}\\\\pN\", \"path\": \"f\"}"),
                        bench.context());
        assertThat(result.text())
                .isEqualTo("(The search took too long and was stopped; there may be more.)");
    }

    @Test
    void badArgumentsNameTheField() throws Exception {
        assertThat(fails("grep", "{}")).isEqualTo("pattern is required");
        assertThat(fails("grep", "{'pattern': ''}")).isEqualTo("pattern must not be empty");
        assertThat(fails("grep", "{'pattern': '(?=x)'}")).startsWith("pattern is not a regex RE2");
        assertThat(fails("grep", "{'pattern': 'x', '-A': 21}"))
                .isEqualTo("-A must be from 0 to 20");
        assertThat(fails("grep", "{'pattern': 'x', 'head_limit': 0}"))
                .startsWith("head_limit must");
        assertThat(fails("grep", "{'pattern': 'x', 'paths': [1]}"))
                .isEqualTo("paths must hold strings");
        assertThat(fails("grep", "{'pattern': 'x', 'output_mode': 'all'}"))
                .isEqualTo("output_mode must be content, files_with_matches or count");
    }

    private static String lines(int count, String prefix) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> prefix + i + "\n")
                .collect(Collectors.joining());
    }
}
