package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writing and deleting files of a workspace. */
class ChangeFilesTest {
    private SessionFiles files;

    @BeforeEach
    void start() throws Exception {
        files = SessionFiles.start();
    }

    @AfterEach
    void stop() {
        files.close();
    }

    @Test
    void filesAreWrittenWithAResultForEach() throws Exception {
        HttpResponse<String> answer =
                files.server()
                        .post(
                                files.url("/files"),
                                Map.of(
                                        "files",
                                        List.of(
                                                file("a.txt", "one"),
                                                file("../b.txt", "two"),
                                                Map.of("path", "c.txt", "content", "!")),
                                        "targetPath",
                                        "in"));

        assertThat(answer.body())
                .isEqualTo(
                        "{\"files\":[{\"path\":\"in/a.txt\",\"written\":true,\"size\":3},"
                                + "{\"path\":\"in/../b.txt\",\"written\":false,\"error\":\"Invalid file path\"},"
                                + "{\"path\":\"in/c.txt\",\"written\":false,\"error\":\"Content is not base64\"}],"
                                + "\"source\":\"sandbox\"}");
        assertThat(files.get("/files/in/a.txt").body()).isEqualTo("one");
        assertThat(files.paths("")).containsExactly("in/a.txt");
    }

    @Test
    void noFileIsWrittenThroughALinkThatLeadsOut() throws Exception {
        Path foreign = Files.createTempDirectory("foreign-");
        Files.createSymbolicLink(files.workspace().resolve("out"), foreign);

        HttpResponse<String> answer =
                files.server()
                        .post(
                                files.url("/files"),
                                Map.of("files", List.of(file("out/evil.txt", "x"))));

        assertThat(answer.body()).contains("\"written\":false");
        assertThat(foreign.resolve("evil.txt")).doesNotExist();
    }

    @Test
    void deletingALinkLeavesItsTarget() throws Exception {
        files.write("sub/a.txt", "x");
        Files.createSymbolicLink(files.workspace().resolve("link"), Path.of("sub/a.txt"));

        assertThat(delete("link").body()).isEqualTo("{\"path\":\"link\",\"deleted\":true}");
        assertThat(files.get("/files/sub/a.txt").statusCode()).isEqualTo(200);
        assertThat(delete("sub").statusCode()).isEqualTo(400);
        assertThat(delete("sub/a.txt").statusCode()).isEqualTo(200);
        assertThat(delete("sub/a.txt").body())
                .isEqualTo("{\"error\":\"File not found\",\"statusCode\":404}");
    }

    @Test
    void aFileIsChangedOnlyIfItIsStillTheVersionThatWasRead() throws Exception {
        files.write("notes.txt", "one");
        String first = tag("notes.txt");

        assertThat(write("If-Match", first, file("notes.txt", "two")).statusCode()).isEqualTo(200);
        HttpResponse<String> late = write("If-Match", first, file("notes.txt", "three"));
        HttpResponse<String> absent = write("If-Match", "*", file("absent.txt", "x"));
        HttpResponse<String> taken = write("If-None-Match", "*", file("notes.txt", "four"));

        assertThat(List.of(late, absent, taken)).allMatch(it -> it.statusCode() == 412);
        assertThat(files.get("/files/notes.txt").body()).isEqualTo("two");
        assertThat(write("If-None-Match", "*", file("new.txt", "x")).statusCode()).isEqualTo(200);
        List<Map<String, String>> two = List.of(file("a", "1"), file("b", "2"));
        assertThat(writeAll("If-Match", "*", two).statusCode()).isEqualTo(400);
        assertThat(delete("notes.txt", "If-Match", first).statusCode()).isEqualTo(412);
        assertThat(delete("notes.txt", "If-Match", tag("notes.txt")).statusCode()).isEqualTo(200);
    }

    @Test
    void readingAnotherVersionThanIfMatchNamesIsRefused() throws Exception {
        files.write("notes.txt", "one");

        assertThat(files.bytes("/files/notes.txt", "If-Match", tag("notes.txt")).statusCode())
                .isEqualTo(200);
        assertThat(files.bytes("/files/notes.txt", "If-Match", "\"other\"").statusCode())
                .isEqualTo(412);
    }

    private String tag(String path) throws Exception {
        return files.get("/files/" + path).headers().firstValue("ETag").orElseThrow();
    }

    private HttpResponse<String> write(String header, String value, Map<String, String> file)
            throws Exception {
        return writeAll(header, value, List.of(file));
    }

    private HttpResponse<String> writeAll(
            String header, String value, List<Map<String, String>> written) throws Exception {
        String body = Json.MAPPER.writeValueAsString(Map.of("files", written));
        return files.server()
                .send(
                        files.server()
                                .request(files.url("/files"))
                                .header(header, value)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build());
    }

    @Test
    void changesAreRefusedDuringARun() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            String chat = server.newChat();
            try (TestServer.Events events =
                    server.turn(Map.of("message", "hello", "chatId", chat))) {
                ScriptedSandbox.RunOnStage run = sandbox.next();
                HttpResponse<String> answer =
                        server.post(
                                "/api/sessions/" + chat + "/files",
                                Map.of("files", List.of(file("a", "b"))));

                assertThat(answer.statusCode()).isEqualTo(409);
                run.answers("done");
                assertThat(events.rest()).isNotEmpty();
            }
        }
    }

    private HttpResponse<String> delete(String path, String... headers) throws Exception {
        HttpRequest.Builder request = files.server().request(files.url("/files/" + path)).DELETE();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return files.server().send(request.build());
    }

    private static Map<String, String> file(String path, String content) {
        return Map.of(
                "path",
                path,
                "content",
                Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)));
    }
}
