package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchiveTest {
    @Test
    void aZipIsListed() throws IOException {
        byte[] file = new Zip().file("a.txt", "12345").file("folder/b.bin", new byte[10]).bytes();

        Extraction found = Extraction.of("a.zip", file);

        assertThat(found.text()).containsPattern("(?m)^5\\t[-0-9: ]+\\ta\\.txt$");
        assertThat(found.text())
                .contains("\tfolder/b.bin")
                .endsWith("[2 entries, 15 bytes unpacked]");
    }

    @Test
    void aTarIsListedWithLongNames() throws IOException {
        String longName = "folder/".repeat(30) + "end.txt";
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.writeBytes(header("plain.txt", 3, '0'));
        tar.writeBytes(block("abc"));
        tar.writeBytes(header("././@LongLink", longName.length(), 'L'));
        tar.writeBytes(block(longName));
        tar.writeBytes(header("short", 0, '0'));
        String record = " path=päx.txt\n";
        String whole = (record.getBytes(StandardCharsets.UTF_8).length + 2) + record;
        tar.writeBytes(header("x", whole.getBytes(StandardCharsets.UTF_8).length, 'x'));
        tar.writeBytes(block(whole));
        tar.writeBytes(header("other", 1, '0'));
        tar.writeBytes(block("z"));
        tar.writeBytes(new byte[1024]);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(tar.toByteArray());
        }

        for (Extraction found :
                new Extraction[] {
                    Extraction.of("a.tar", tar.toByteArray()),
                    Extraction.of("a.tar.gz", compressed.toByteArray())
                }) {
            assertThat(found.header().format()).isEqualTo(DocumentFormat.TAR);
            assertThat(found.text().lines().map(line -> line.substring(line.lastIndexOf('\t') + 1)))
                    .containsExactly(
                            "plain.txt", longName, "päx.txt", "[3 entries, 4 bytes unpacked]");
        }
    }

    @Test
    void aGzipFileNamesItsContent() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(new byte[1000]);
        }

        assertThat(Extraction.of("a.gz", compressed.toByteArray()).text())
                .startsWith("1000\t")
                .contains("1 entries");
    }

    @ParameterizedTest
    @CsvSource({
        "WordDocument, UNSUPPORTED, .docx",
        "Workbook, UNSUPPORTED, .xlsx",
        "PowerPoint Document, UNSUPPORTED, .pptx",
        "__properties_version1.0, UNSUPPORTED, .eml",
        "Other, UNSUPPORTED, old Office",
        "EncryptedPackage, ENCRYPTED, password"
    })
    void oldOfficeFilesSayWhatToDo(String stream, Failure.Code code, String hint)
            throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(new byte[] {(byte) 0xd0, (byte) 0xcf, 0x11, (byte) 0xe0});
        file.writeBytes(new byte[] {(byte) 0xa1, (byte) 0xb1, 0x1a, (byte) 0xe1});
        file.writeBytes(new byte[2000]);
        file.writeBytes(stream.getBytes(StandardCharsets.UTF_16LE));
        file.writeBytes(new byte[100]);

        Extraction found = Extraction.of("old.bin", file.toByteArray());

        assertThat(found.failure()).isEqualTo(code);
        assertThat(found.last().toString()).contains(hint);
    }

    static byte[] header(String name, int size, char type) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 124, String.format(Locale.ROOT, "%011o", size));
        put(header, 136, String.format(Locale.ROOT, "%011o", 1_700_000_000));
        header[156] = (byte) type;
        put(header, 257, "ustar");
        put(header, 148, "        ");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format(Locale.ROOT, "%06o", sum));
        header[154] = 0;
        return header;
    }

    private static byte[] block(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, (bytes.length + 511) / 512 * 512);
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
