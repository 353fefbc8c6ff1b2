package dev.satchel.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a form holds: its parts are read or the client is told, and content comes out whole. */
class MultipartFuzzTest {
    private static final String TYPE = "multipart/form-data; boundary=";
    private static final String BOUNDARY = "--=_satchel_fuzz_boundary_7MA4YWxkTrZu0gW";

    static Stream<Arguments> seeds() {
        String part =
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"ä.txt\"\r\n\r\n";
        return Stream.of(
                Arguments.of(TYPE + "b", (part + "hello\r\n--b--\r\n").getBytes(UTF_8)),
                Arguments.of(TYPE + "\"b\"", (part + "breaks off").getBytes(UTF_8)),
                Arguments.of(TYPE + "b", "--b\r\n\r\n\r\n--b--".getBytes(UTF_8)),
                Arguments.of(
                        TYPE + "b; charset=utf-8",
                        ("preamble\r\n" + part + "--b\r\n\r\n--b\r\n" + part).getBytes(UTF_8)),
                Arguments.of("multipart/mixed", new byte[0]),
                Arguments.of(TYPE + "b", ("--b\r\n\r\n--" + BOUNDARY + "\0").getBytes(UTF_8)));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyFormIsReadOrRefused(@NotNull String contentType, byte @NotNull [] body)
            throws IOException {
        try {
            read(MultipartReader.of(contentType, new ByteArrayInputStream(body)), body.length);
        } catch (SatchelException e) {
            assertThat(e.code()).isIn(ErrorCode.INVALID_REQUEST, ErrorCode.UNSUPPORTED_MEDIA_TYPE);
        }
        requireWhole(body);
    }

    private static void read(MultipartReader form, int length) throws IOException {
        long total = 0;
        for (Optional<Part> part = form.next(); part.isPresent(); part = form.next()) {
            total += part.get().content().readAllBytes().length;
        }
        assertThat(total).isLessThanOrEqualTo(length);
    }

    /** Any bytes whatever, sent as a file, arrive as they are. */
    private static void requireWhole(byte[] content) throws IOException {
        String boundary = unlike(content);
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        String head = "Content-Disposition: form-data; name=\"f\"; filename=\"a b\"\r\n\r\n";
        form.writeBytes(("--" + boundary + "\r\n" + head).getBytes(UTF_8));
        form.writeBytes(content);
        form.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
        MultipartReader parts =
                MultipartReader.of(TYPE + boundary, new ByteArrayInputStream(form.toByteArray()));
        Part part = parts.next().orElseThrow();
        assertThat(part.filename()).contains("a b");
        assertThat(part.content().readAllBytes()).isEqualTo(content);
        assertThat(parts.next()).isEmpty();
    }

    /** As every client must choose it; the fuzzer watches comparisons, and learned the usual. */
    private static String unlike(byte[] content) {
        String text = new String(content, ISO_8859_1);
        StringBuilder boundary = new StringBuilder(BOUNDARY);
        while (text.contains(boundary)) {
            boundary.append('x');
        }
        return boundary.toString();
    }
}
