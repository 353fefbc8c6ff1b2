package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small archives that unpack to large ones, or have invalid headers. */
class BundleBombTest {
    private static final int BLOCK = 512;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private GZIPOutputStream tar;
    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
        tar = new GZIPOutputStream(bytes);
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void aHardLinkCountsAsACopy() throws Exception {
        int large = 8 << 20;
        entry("z", '0', octal(large), "");
        tar.write(new byte[large]);
        for (int i = 0; i < 128; i++) {
            entry("twin" + i, '1', octal(0), i == 0 ? "z" : "twin" + (i - 1));
        }
        assertThat(upload().statusCode()).isEqualTo(413);
        assertThat(files.workspace().resolve("z")).doesNotExist();
    }

    /** The file may be in the workspace already. */
    @Test
    void aHardLinkToAFileOfTheWorkspaceCountsToo() throws Exception {
        files.write("z", "x".repeat(8 << 20));
        for (int i = 0; i < 129; i++) {
            entry("twin" + i, '1', octal(0), "z");
        }
        assertThat(upload().statusCode()).isEqualTo(413);
        assertThat(files.workspace().resolve("twin0")).doesNotExist();
    }

    @Test
    void aBundleThatUnpacksToManyTimesItsSizeIsRefused() throws Exception {
        int large = 64 << 20;
        entry("zeros", '0', octal(large), "");
        byte[] piece = new byte[1 << 20];
        for (int i = 0; i < large / piece.length; i++) {
            tar.write(piece);
        }
        HttpResponse<String> refused = upload();
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("more than 250 times its size");
        assertThat(files.workspace().resolve("zeros")).doesNotExist();
    }

    @Test
    void aBundleFitsBesideWhatIsInTheWorkspaceOrIsRefused() throws Exception {
        limit(1_000_000, 100);
        files.write("old", "x".repeat(900_000));
        file("new", 200_000);
        HttpResponse<String> refused = upload();
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body())
                .contains("the workspace would have more than 1000000 bytes or 100 entries");
        assertThat(files.workspace().resolve("new")).doesNotExist();

        file("old", 200_000); // what is replaced does not count
        file("new", 200_000);
        assertThat(upload().statusCode()).isEqualTo(200);
        assertThat(files.workspace().resolve("old")).hasSize(200_000);
    }

    @Test
    void moreEntriesThanAWorkspaceMayHaveAreRefused() throws Exception {
        limit(1_000_000_000, 100);
        for (int i = 0; i < 90; i++) {
            files.write("old" + i, "");
        }
        for (int i = 0; i < 20; i++) {
            entry("new" + i, i % 2 == 0 ? '0' : '5', octal(0), "");
        }
        assertThat(upload().statusCode()).isEqualTo(413);
        assertThat(files.workspace().resolve("new0")).doesNotExist();
    }

    @Test
    void aNegativeSizeIsRefused() throws Exception {
        entry("less", '3', binary(-(1L << 60)), "");
        assertThat(upload().statusCode()).isEqualTo(400);
    }

    @Test
    void aSizeThatWouldOverflowIsTooLarge() throws Exception {
        entry("one", '0', octal(1), "");
        tar.write(new byte[BLOCK]);
        entry("most", '0', binary(Long.MAX_VALUE), "");
        assertThat(upload().statusCode()).isEqualTo(413);
    }

    @Test
    void aLongExtendedHeaderIsRefused() throws Exception {
        int large = 64 << 20;
        entry("long", 'L', octal(large), "");
        byte[] piece = new byte[1 << 20];
        for (int i = 0; i < large / piece.length; i++) {
            tar.write(piece);
        }
        assertThat(upload().statusCode()).isEqualTo(400);
    }

    @Test
    void anInvalidTimeOrPaxRecordIsRefused() throws Exception {
        entry("late", '0', octal(0), binary(Long.MAX_VALUE), "");
        assertThat(upload().statusCode()).isEqualTo(400);
        entry("pax", 'x', octal(4), "");
        tar.write(Arrays.copyOf("4 a=".getBytes(US_ASCII), BLOCK));
        assertThat(upload().statusCode()).isEqualTo(400);
    }

    private void limit(long most, int entries) throws Exception {
        files.close();
        WorkspaceLimits standard = WorkspaceLimits.STANDARD;
        files =
                SessionFiles.start(
                        new WorkspaceLimits(
                                standard.retention(),
                                standard.listedPaths(),
                                standard.diffBytes(),
                                most,
                                entries));
    }

    private void file(String name, int size) throws IOException {
        entry(name, '0', octal(size), "");
        tar.write(new byte[Math.ceilDiv(size, BLOCK) * BLOCK]);
    }

    /** The next entries are those of another bundle. */
    private HttpResponse<String> upload() throws Exception {
        tar.write(new byte[2 * BLOCK]);
        tar.close();
        String base64 = Base64.getEncoder().encodeToString(bytes.toByteArray());
        bytes.reset();
        tar = new GZIPOutputStream(bytes);
        return files.server().post(files.url("/workspace"), Map.of("bundle", base64));
    }

    private void entry(String name, char type, byte[] size, String target) throws IOException {
        entry(name, type, size, octal(0), target);
    }

    private void entry(String name, char type, byte[] size, byte[] time, String target)
            throws IOException {
        ByteBuffer header = ByteBuffer.allocate(BLOCK);
        header.put(0, name.getBytes(US_ASCII)).put(100, "0000644\0".getBytes(US_ASCII));
        header.put(124, size).put(136, time).put(148, " ".repeat(8).getBytes(US_ASCII));
        header.put(156, (byte) type).put(157, target.getBytes(US_ASCII));
        header.put(257, "ustar\00000".getBytes(US_ASCII));
        int sum = 0;
        for (byte b : header.array()) {
            sum += b & 0xff;
        }
        header.put(148, "%06o\0 ".formatted(sum).getBytes(US_ASCII));
        tar.write(header.array());
    }

    private static byte[] octal(long number) {
        return "%011o\0".formatted(number).getBytes(US_ASCII);
    }

    /** As GNU tar writes a number that is negative or too large for octal digits. */
    private static byte[] binary(long number) {
        byte first = (byte) (number < 0 ? 0xff : 0);
        byte[] field = new byte[12];
        Arrays.fill(field, first);
        field[0] |= (byte) 0x80;
        ByteBuffer.wrap(field).putLong(4, number);
        return field;
    }
}
