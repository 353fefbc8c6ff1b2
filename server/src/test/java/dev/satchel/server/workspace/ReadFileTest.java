package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One file of a live workspace, raw and as JSON. */
class ReadFileTest {
    private static final int RACING_READS = 5_000;

    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
        files.write("src/index.ts", "console.log(\"hello\")");
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void rawBytesHaveTheSpecifiedHeaders() throws Exception {
        HttpResponse<byte[]> file = files.bytes("/files/src/index.ts");

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(new String(file.body(), UTF_8)).isEqualTo("console.log(\"hello\")");
        assertThat(file.headers().firstValue("Content-Type")).hasValue("text/typescript");
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename*=UTF-8''index.ts");
        assertThat(file.headers().firstValue("Content-Length")).hasValue("20");
        assertThat(file.headers().firstValue("X-Ash-Source")).hasValue("sandbox");
        assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void aScriptOfTheWorkspaceIsPlainText() throws Exception {
        for (String name : List.of("page.js", "module.mjs", "view.jsx")) {
            files.write(name, "alert(1)");

            HttpResponse<byte[]> file = files.bytes("/files/" + name);

            assertThat(file.headers().firstValue("Content-Type")).hasValue("text/plain");
            assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
    }

    @Test
    void jsonHasTheTextAndThePath() throws Exception {
        assertThat(files.get("/files/./src//index.ts?format=json").body())
                .isEqualTo(
                        "{\"path\":\"./src//index.ts\",\"content\":\"console.log(\\\"hello\\\")\","
                                + "\"size\":20,\"source\":\"sandbox\"}");
    }

    @Test
    void jsonHasTheSizeInBytesAndReplacesInvalidUtf8() throws Exception {
        Files.write(files.workspace().resolve("odd.bin"), new byte[] {'a', (byte) 0xff, 0, 'b'});

        assertThat(files.get("/files/odd.bin?format=json").body())
                .isEqualTo(
                        "{\"path\":\"odd.bin\",\"content\":\"a\ufffd\\u0000b\",\"size\":4,\"source\":\"sandbox\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "src, 400, Path is not a file",
        "src/, 400, Path is not a file",
        "'', 400, File path required",
        "/etc/passwd, 400, Invalid file path",
        "%2Fetc%2Fpasswd, 400, Invalid file path",
        "../../../etc/passwd, 400, Invalid file path",
        "%2e%2e/x, 400, Invalid file path",
        "..%5C.., 400, Invalid file path",
        "src/%2E%2E/src/index.ts, 400, Invalid file path",
        "%252e%252e/x, 404, File not found",
        "nope.txt, 404, File not found",
        "src/index.ts/, 404, File not found",
        "src/index.ts/b, 404, File not found",
        "src/index.ts%00.png, 404, File not found",
    })
    void aPathThatIsNoFileIsRefusedWithTheSpecifiedWords(String path, int status, String error)
            throws Exception {
        String answer = RawRequest.get(files, "/files/" + path);

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer).endsWith("{\"error\":\"" + error + "\",\"statusCode\":" + status + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?format=xml", "?format=", "?format=raw&format=raw"})
    void anUnknownFormatIsRefused(String query) throws Exception {
        assertThat(files.get("/files/src/index.ts" + query).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%ff%fe"})
    void anUndecodablePathIsRefused(String path) throws Exception {
        assertThat(RawRequest.get(files, "/files/" + path)).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void namesWithSpecialCharactersAreFound() throws Exception {
        files.write("it's 100% (ü)#?+.txt", "x");

        HttpResponse<byte[]> file = files.bytes("/files/it's%20100%25%20(%C3%BC)%23%3F+.txt");

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename*=UTF-8''it's%20100%25%20(%C3%BC)%23%3F%2B.txt");
    }

    @Test
    void hiddenFilesCanBeRead() throws Exception {
        files.write("node_modules/pkg/index.js", "x");
        files.write("yarn.lock", "lock");
        files.write("notes..txt", "dots");

        assertThat(files.get("/files/node_modules/pkg/index.js").statusCode()).isEqualTo(200);
        assertThat(files.get("/files/yarn.lock").body()).isEqualTo("lock");
        assertThat(files.get("/files/notes..txt").body()).isEqualTo("dots");
    }

    @Test
    void theLimitsAreInclusive() throws Exception {
        sparse("raw.bin", 104_857_600);
        sparse("more.bin", 104_857_601);
        sparse("json.txt", 1_048_576);
        sparse("more.txt", 1_048_577);

        assertThat(files.bytes("/files/raw.bin").body()).hasSize(104_857_600);
        assertThat(files.get("/files/more.bin").body())
                .isEqualTo(
                        "{\"error\":\"File too large (104857601 bytes, max 104857600)\",\"statusCode\":400}");
        assertThat(files.get("/files/json.txt?format=json").statusCode()).isEqualTo(200);
        assertThat(files.get("/files/more.txt?format=json").body())
                .isEqualTo(
                        "{\"error\":\"File too large (1048577 bytes, max 1048576)\",\"statusCode\":400}");
    }

    @Test
    void aDownloadIsResumedAndRevalidated() throws Exception {
        HttpResponse<byte[]> part = files.bytes("/files/src/index.ts", "Range", "bytes=8-10");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(new String(part.body(), UTF_8)).isEqualTo("log");
        String tag = part.headers().firstValue("ETag").orElseThrow();

        assertThat(files.bytes("/files/src/index.ts", "If-None-Match", tag).statusCode())
                .isEqualTo(304);
        files.write("src/index.ts", "console.log(\"other\")");
        assertThat(files.bytes("/files/src/index.ts", "If-None-Match", tag).statusCode())
                .isEqualTo(200);
    }

    @Test
    void headHasTheHeadersOfGet() throws Exception {
        HttpResponse<String> head =
                files.server()
                        .send(
                                files.server()
                                        .request(files.url("/files/src/index.ts"))
                                        .method("HEAD", BodyPublishers.noBody())
                                        .build());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).hasValue("20");
        assertThat(head.headers().firstValue("Content-Type")).hasValue("text/typescript");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aLinkThatLeadsOutIsNotFound() throws Exception {
        Path workspace = files.workspace();
        Files.createSymbolicLink(workspace.resolve("leak"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(workspace.resolve("etc"), Path.of("/etc"));
        Files.createSymbolicLink(workspace.resolve("up"), Path.of("../../.."));

        assertThat(files.get("/files/leak").statusCode()).isEqualTo(404);
        assertThat(files.get("/files/etc/passwd").statusCode()).isEqualTo(404);
        assertThat(files.get("/files/up/satchel.db").statusCode()).isEqualTo(404);
    }

    @Test
    void aFileThatIsSwappedForALinkNeverLeadsOut() throws Exception {
        Path foreign = Files.createTempDirectory("foreign-");
        Files.writeString(foreign.resolve("f.txt"), "foreign");
        files.write("swap/f.txt", "own");
        Path swap = files.workspace().resolve("swap");
        Path aside = files.workspace().resolve("aside");
        AtomicBoolean over = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> swapUntil(over, swap, aside, foreign));
        try {
            for (int i = 0; i < RACING_READS; i++) {
                HttpResponse<String> read = files.get("/files/swap/f.txt");
                assertThat(read.body()).isNotEqualTo("foreign");
                assertThat(read.statusCode()).isIn(200, 404);
            }
        } finally {
            over.set(true);
            attacker.join();
        }
    }

    private static void swapUntil(AtomicBoolean over, Path swap, Path aside, Path foreign) {
        try {
            while (!over.get()) {
                Files.move(swap, aside);
                Files.createSymbolicLink(swap, foreign);
                Files.delete(swap);
                Files.move(aside, swap);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void sparse(String name, long size) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(files.workspace().resolve(name).toFile(), "rw")) {
            file.setLength(size);
        }
    }
}
