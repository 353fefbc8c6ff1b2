package dev.satchel.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartReaderTest {
    private static final String BOUNDARY = "----a-b-a-b-a-c";
    private static final String END = "\r\n--" + BOUNDARY + "--\r\n";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 17, 4096, 1 << 20})
    void contentComesOutWholeHoweverTheBodyIsCut(int chunk) throws IOException {
        byte[] first = nearlyDelimiters(200_000);
        byte[] second = nearlyDelimiters(65_536);

        MultipartReader form = form(new Slow(body(first, second), chunk));

        assertThat(content(form)).isEqualTo(first);
        assertThat(content(form)).isEqualTo(second);
        assertThat(form.next()).isEmpty();
        assertThat(form.next()).isEmpty();
    }

    @Test
    void aDelimiterIsFoundWhereverItLiesInTheBuffer() throws IOException {
        for (int length = 65_400; length < 65_600; length++) {
            byte[] content = new byte[length];
            assertThat(content(form(new ByteArrayInputStream(body(content))))).hasSize(length);
        }
    }

    @Test
    void aPartNeedNotBeReadToTheEnd() throws IOException {
        MultipartReader form =
                form(new ByteArrayInputStream(body(new byte[200_000], bytes("next"))));

        Part first = form.next().orElseThrow();
        assertThat(first.content().read()).isZero();

        assertThat(content(form)).isEqualTo(bytes("next"));
        assertThat(first.content().read()).isEqualTo(-1);
    }

    @Test
    void anEmptyFileIsAPart() throws IOException {
        assertThat(content(form(new ByteArrayInputStream(body(new byte[0]))))).isEmpty();
    }

    @Test
    void textBeforeTheFirstPartIsSkipped() throws IOException {
        byte[] body = bytes("Hello.\r\n--" + BOUNDARY + "\r\n\r\nx" + END);

        assertThat(content(form(new ByteArrayInputStream(body)))).isEqualTo(bytes("x"));
    }

    @Test
    void namesAreReadAsUtf8() throws IOException {
        String head = "Content-Disposition: form-data; name=\"f\"; filename=\"Maß ✓.csv\"\r\n\r\n";
        byte[] body = ("--" + BOUNDARY + "\r\n" + head + END).getBytes(UTF_8);

        Part part = form(new ByteArrayInputStream(body)).next().orElseThrow();

        assertThat(part.filename()).contains("Maß ✓.csv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--",
                "--" + BOUNDARY,
                "--" + BOUNDARY + "--",
                "--" + BOUNDARY + "xx\r\n\r\n" + END,
                "--" + BOUNDARY + "\r\nName: value\r\n",
                "--" + BOUNDARY + "\r\n\r\nbreaks off",
                "--" + BOUNDARY + "\r\n\r\nbreaks off\r\n--" + BOUNDARY
            })
    void aBrokenBodyIsTheClientsMistake(String body) {
        assertThatThrownBy(
                        () -> {
                            MultipartReader form = form(new ByteArrayInputStream(bytes(body)));
                            while (form.next().isPresent()) {}
                        })
                .isInstanceOfSatisfying(
                        SatchelException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
    }

    @Test
    void endlessHeadersAreRefused() {
        byte[] body = bytes("--" + BOUNDARY + "\r\n" + "Name: value\r\n".repeat(10_000));

        assertThatThrownBy(() -> form(new ByteArrayInputStream(body)).next())
                .isInstanceOf(SatchelException.class)
                .hasMessageContaining("too long");
    }

    private static MultipartReader form(InputStream body) throws IOException {
        return MultipartReader.of("multipart/form-data; boundary=" + BOUNDARY, body);
    }

    private static byte[] content(MultipartReader form) throws IOException {
        Optional<Part> part = form.next();
        return part.orElseThrow().content().readAllBytes();
    }

    private static byte[] body(byte[]... contents) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            body.writeBytes(bytes((body.size() == 0 ? "--" : "\r\n--") + BOUNDARY + "\r\n"));
            body.writeBytes(bytes("Content-Disposition: form-data; name=\"f\"\r\n\r\n"));
            body.writeBytes(content);
        }
        body.writeBytes(bytes(END));
        return body.toByteArray();
    }

    /** Made of pieces of the delimiter, but never the whole of it. */
    private static byte[] nearlyDelimiters(int length) {
        Random random = new Random(length);
        String delimiter = "\r\n--" + BOUNDARY;
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            int from = random.nextInt(delimiter.length());
            text.append(delimiter, from, from + random.nextInt(delimiter.length() - from));
        }
        return bytes(text.toString().replace(delimiter, "x"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** Gives a few bytes at a time. */
    private static final class Slow extends ByteArrayInputStream {
        private final int chunk;

        Slow(byte[] bytes, int chunk) {
            super(bytes);
            this.chunk = chunk;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, chunk));
        }
    }
}
