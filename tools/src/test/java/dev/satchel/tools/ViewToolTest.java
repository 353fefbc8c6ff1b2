package dev.satchel.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.view.ViewTool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ViewToolTest extends FileToolTest {
    private final Tool<SafeDirectory> view =
            new ViewTool()
                    .on(
                            files ->
                                    new ViewTool.Context(
                                            files,
                                            new UnscaledImageLoader(),
                                            DocumentTextReader.none("There is no sandbox.")));

    @Override
    protected ToolResult call(JsonNode arguments) throws Exception {
        return view.call(arguments, files);
    }

    @Test
    void aRangeIsShownWithLineNumbers() throws Exception {
        file("f.txt", "line1\nline2\nline3\nline4\nline5\n");
        assertThat(succeeds("{'path': 'f.txt', 'view_range': [2, 4]}"))
                .isEqualTo("2. line2\n3. line3\n4. line4");
    }

    @Test
    void aWholeFileIsShownWithoutANote() throws Exception {
        file("f.txt", "a\n\nb");
        assertThat(succeeds("{'path': 'f.txt'}")).isEqualTo("1. a\n2. \n3. b");
    }

    @Test
    void otherNamesOfArgumentsAreAccepted() throws Exception {
        file("f.txt", "a\nb\nc\nd\n");
        assertThat(succeeds("{'file_path': 'f.txt', 'offset': 2, 'limit': 2}"))
                .isEqualTo("2. b\n3. c");
    }

    @Test
    void absolutePathsAreThoseOfTheSandbox() throws Exception {
        file("a/f.txt", "x");
        assertThat(succeeds("{'path': '/root/workspace/a/f.txt'}")).isEqualTo("1. x");
        assertThat(succeeds("{'path': './a//f.txt'}")).isEqualTo("1. x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no.txt",
                "../root/f.txt",
                "/etc/passwd",
                "/root/workspace-evil/f",
                "/root/workspace/../f",
                "out",
                "out/passwd",
                "pipe",
                "f.txt/x"
            })
    void missingAndOutsidePathsGiveTheSameMessage(String path) throws Exception {
        file("f.txt", "x");
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
        new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start().waitFor();
        assertThat(fails("{'path': '" + path + "'}"))
                .isEqualTo("Path " + path + " does not exist. Please provide a valid path.");
    }

    @Test
    void windowsLineEndsCountOnceAndLoneReturnsStay() throws Exception {
        file("f.txt", "a\r\nb\rc\r\n\r\nd\r");
        assertThat(succeeds("{'path': 'f.txt'}")).isEqualTo("1. a\n2. b\rc\n3. \n4. d\r");
    }

    @Test
    void aByteOrderMarkIsNotText() throws Exception {
        file("f.txt", "\ufeffa\nb");
        assertThat(succeeds("{'path': 'f.txt'}")).isEqualTo("1. a\n2. b");
    }

    @Test
    void utf16IsReadByItsMark() throws Exception {
        file("le", "\ufeffä\r\n日本\n😀".getBytes(StandardCharsets.UTF_16LE));
        file("be", "\ufeffä\r\n日本\n😀".getBytes(StandardCharsets.UTF_16BE));
        assertThat(succeeds("{'path': 'le'}")).isEqualTo("1. ä\n2. 日本\n3. 😀");
        assertThat(succeeds("{'path': 'be', 'view_range': [2, 2]}")).isEqualTo("2. 日本");
    }

    @Test
    void invalidBytesAreMarked() throws Exception {
        file("f", new byte[] {'a', (byte) 0xff, 'b', (byte) 0xc3, '\n', 'c'});
        assertThat(succeeds("{'path': 'f'}")).isEqualTo("1. a\ufffdb\ufffd\n2. c");
    }

    @Test
    void aLongLineIsCut() throws Exception {
        file("f", "x".repeat(2000) + "\n" + "y".repeat(2001) + "\n" + "😀".repeat(1001));
        String note = "... (line truncated to 2000 chars)";
        assertThat(succeeds("{'path': 'f'}"))
                .isEqualTo(
                        "1. %s\n2. %s%s\n3. %s%s"
                                .formatted(
                                        "x".repeat(2000),
                                        "y".repeat(2000),
                                        note,
                                        "😀".repeat(1000),
                                        note));
    }

    @Test
    void aSingleLineOfTenMegabytesIsCutToo() throws Exception {
        file("f", "z".repeat(10_000_000));
        assertThat(succeeds("{'path': 'f'}")).hasSize(3 + 2000 + 34).endsWith("chars)");
    }

    @Test
    void aCutFileSaysHowToContinue() throws Exception {
        file("f", numbered(5000));
        String first = succeeds("{'path': 'f'}");
        assertThat(first.getBytes(StandardCharsets.UTF_8).length).isLessThan(21 * 1024);
        int last = lastLine(first);
        assertThat(first)
                .endsWith(
                        "\n(Showing lines 1-%d of 5000. Use view_range=[%d, -1] to continue.)"
                                .formatted(last, last + 1));
        String second = succeeds("{'path': 'f', 'view_range': [" + (last + 1) + ", -1]}");
        assertThat(second).startsWith((last + 1) + ". line " + (last + 1) + "\n");
    }

    @Test
    void largeFilesMayBeForcedUpToAHardCap() throws Exception {
        file("f", numbered(50_000));
        String text = succeeds("{'path': 'f', 'forceReadLargeFiles': true}");
        assertThat(text.length()).isBetween(190 * 1024, 201 * 1024);
    }

    @Test
    void rangesAreChecked() throws Exception {
        file("f", numbered(812));
        assertThat(fails("{'path': 'f', 'view_range': [900, 950]}"))
                .isEqualTo("view_range start 900 is past the end of the file (812 lines)");
        assertThat(succeeds("{'path': 'f', 'view_range': [812, 5000]}")).isEqualTo("812. line 812");
        for (String range :
                new String[] {"[0, 5]", "[5, 4]", "[1]", "'x'", "[1, -2]", "[1.5, 2]"}) {
            assertThat(fails("{'path': 'f', 'view_range': " + range + "}"))
                    .startsWith("view_range must be");
        }
    }

    @Test
    void anEmptyFileIsNamedEmpty() throws Exception {
        file("f", "").file("g", "\ufeff");
        assertThat(succeeds("{'path': 'f'}")).isEqualTo("(empty file)");
        assertThat(succeeds("{'path': 'g'}")).isEqualTo("(empty file)");
    }

    @Test
    void binariesAreRefusedWithTheirType() throws Exception {
        file("d.pdf", "%PDF-1.7\n…").file("b", new byte[] {1, 0, 2});
        file("e", "\u007fELF\u0001" + "x".repeat(2000));
        file("controls", "\u0001\u0002\u0003abc".repeat(100));
        file("z.xlsx", "PK\u0003\u0004" + "x".repeat(2000));
        assertThat(fails("{'path': 'd.pdf'}")).isEqualTo("Cannot read d.pdf. There is no sandbox.");
        assertThat(fails("{'path': 'b'}")).contains("b (application/octet-stream, 3 bytes)");
        assertThat(fails("{'path': 'controls'}")).startsWith("Cannot display binary file");
        assertThat(fails("{'path': 'z.xlsx'}"))
                .isEqualTo("Cannot read z.xlsx. There is no sandbox.");
        assertThat(fails("{'path': 'e'}")).contains("application/x-elf, 2.0 KB");
    }

    @ParameterizedTest
    @CsvSource({
        "425a6839314159265359, application/x-bzip2, tar tjf",
        "425a6831314159265359, application/x-bzip2, tar tjf",
        "fd377a585a00, application/x-xz, tar tJf",
        "28b52ffd, application/zstd, tar --zstd -tf",
        "377abcaf271c, application/x-7z-compressed, 7z l",
        "526172211a0700, application/vnd.rar, unrar l"
    })
    void anArchiveThatIsNotListedNamesTheCommandThatDoes(String hex, String type, String command)
            throws Exception {
        file("a.bin", HexFormat.of().parseHex(hex + "00"));
        assertThat(fails("{'path': 'a.bin'}"))
                .contains("a.bin (" + type)
                .contains("List it with sh (" + command);
    }

    @Test
    void anImageIsReturnedAsAnImage() throws Exception {
        byte[] png = "\u0089PNG\r\n\u001a\n\0\0data".getBytes(StandardCharsets.ISO_8859_1);
        file("p.dat", png);
        ToolResult result = call("{'path': 'p.dat'}");
        assertThat(result.text()).isEqualTo("Viewed image file successfully.");
        assertThat(result.images())
                .containsExactly(
                        new ToolResult.Image("image/png", Base64.getEncoder().encodeToString(png)));
        assertThat(result.detail().get("mimeType").asString()).isEqualTo("image/png");
    }

    @Test
    void anSvgIsText() throws Exception {
        file("p.svg", "<svg/>");
        assertThat(succeeds("{'path': 'p.svg'}")).isEqualTo("1. <svg/>");
    }

    @Test
    void aDirectoryIsShownTwoLevelsDeep() throws Exception {
        file("a/b/c/d", "").file("a/e", "").file("f", "").file(".hidden/x", "");
        assertThat(succeeds("{'path': '.'}")).isEqualTo("a/\na/b/\na/e\nf");
        assertThat(succeeds("{'path': '/root/workspace/a'}")).isEqualTo("b/\nb/c/\ne");
    }

    @Test
    void pagingThroughABigFileReadsItInConstantMemory() throws Exception {
        long size = 200L << 20;
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("big").toFile(), "rw")) {
            byte[] block = "0123456789abcde\n".repeat(65_536).getBytes(StandardCharsets.UTF_8);
            for (long written = 0; written < size; written += block.length) {
                file.write(block);
            }
        }
        long lines = size / 16;
        String end = succeeds("{'path': 'big', 'view_range': [" + lines + ", -1]}");
        assertThat(end).isEqualTo(lines + ". 0123456789abcde");
        for (long line = 1; line < lines; line += lines / 200) {
            assertThat(succeeds("{'path': 'big', 'view_range': [%d, %d]}".formatted(line, line)))
                    .isEqualTo(line + ". 0123456789abcde");
        }
    }

    @Test
    void aChangedFileIsIndexedAgain() throws Exception {
        file("f", numbered(3000));
        succeeds("{'path': 'f', 'view_range': [2999, -1]}");
        file("f", "new\n" + numbered(3000));
        assertThat(succeeds("{'path': 'f', 'view_range': [3001, -1]}"))
                .isEqualTo("3001. line 3000");
    }

    @Test
    void badArgumentsNameTheField() throws Exception {
        assertThat(fails("{}")).isEqualTo("path is required");
        assertThat(fails("{'path': 7}")).isEqualTo("path must be a string");
        assertThat(fails("{'path': 'f', 'forceReadLargeFiles': 'yes'}"))
                .isEqualTo("forceReadLargeFiles must be true or false");
        assertThat(fails("[]")).isEqualTo("arguments must be a JSON object");
    }

    private static String numbered(int lines) {
        return IntStream.rangeClosed(1, lines)
                .mapToObj(i -> "line " + i + "\n")
                .collect(Collectors.joining());
    }

    private static int lastLine(String view) throws IOException {
        String[] lines = view.split("\n", -1);
        String line = lines[lines.length - 2];
        return Integer.parseInt(line.substring(0, line.indexOf('.')));
    }
}
