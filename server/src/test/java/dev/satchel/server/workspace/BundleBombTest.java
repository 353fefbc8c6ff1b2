package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Small archives that would come to much, or say of themselves what cannot be. */
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
    void everyNameOfAFileCountsAsTheCopyThatItBecomes() throws Exception {
        int large = 8 << 20;
        member("z", '0', octal(large), "");
        tar.write(new byte[large]);
        for (int i = 0; i < 128; i++) {
            member("twin" + i, '1', octal(0), i == 0 ? "z" : "twin" + (i - 1));
        }
        assertThat(upload().statusCode()).isEqualTo(413);
        assertThat(files.workspace().resolve("z")).doesNotExist();
    }

    /** The file may be one that was there before. */
    @Test
    void namesOfAFileThatIsNotInTheBundleCountToo() throws Exception {
        files.write("z", "x".repeat(8 << 20));
        for (int i = 0; i < 129; i++) {
            member("twin" + i, '1', octal(0), "z");
        }
        assertThat(upload().statusCode()).isEqualTo(413);
        assertThat(files.workspace().resolve("twin0")).doesNotExist();
    }

    @Test
    void noSizeMakesRoomForOthers() throws Exception {
        member("less", '3', binary(-(1L << 60)), "");
        assertThat(upload().statusCode()).isEqualTo(400);
    }

    @Test
    void noSizeIsTooGreatToBeCounted() throws Exception {
        member("one", '0', octal(1), "");
        tar.write(new byte[BLOCK]);
        member("most", '0', binary(Long.MAX_VALUE), "");
        assertThat(upload().statusCode()).isEqualTo(413);
    }

    @Test
    void whatCannotBeIsAMistakeOfTheSender() throws Exception {
        member("late", '0', octal(0), binary(Long.MAX_VALUE), "");
        assertThat(upload().statusCode()).isEqualTo(400);
        bytes.reset();
        tar = new GZIPOutputStream(bytes);
        member("pax", 'x', octal(4), "");
        tar.write(Arrays.copyOf("4 a=".getBytes(US_ASCII), BLOCK));
        assertThat(upload().statusCode()).isEqualTo(400);
    }

    private HttpResponse<String> upload() throws Exception {
        tar.write(new byte[2 * BLOCK]);
        tar.close();
        String base64 = Base64.getEncoder().encodeToString(bytes.toByteArray());
        return files.server().post(files.url("/workspace"), Map.of("bundle", base64));
    }

    private void member(String name, char type, byte[] size, String target) throws IOException {
        member(name, type, size, octal(0), target);
    }

    private void member(String name, char type, byte[] size, byte[] time, String target)
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

    /** As GNU tar writes a number that is too great for digits, or below zero. */
    private static byte[] binary(long number) {
        byte first = (byte) (number < 0 ? 0xff : 0);
        byte[] field = new byte[12];
        Arrays.fill(field, first);
        field[0] |= (byte) 0x80;
        ByteBuffer.wrap(field).putLong(4, number);
        return field;
    }
}
