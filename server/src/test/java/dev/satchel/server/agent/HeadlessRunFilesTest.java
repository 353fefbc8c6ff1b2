package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Files that headless runs are given and leave, with real sandboxes. */
@Timeout(120)
class HeadlessRunFilesTest {
    private Path data;
    private TestServer server;
    private String runs;

    @BeforeEach
    void start() throws Exception {
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.startWhole(data);
        String agent =
                json(server.post("/api/agents", Map.of("name", "worker"))).get("id").stringValue();
        runs = "/api/agents/" + agent + "/runs";
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aRunGetsUploadsAndCopiesOfAssets() throws Exception {
        String upload = uploaded("a.txt", "from an upload");
        String asset = asset("a.txt", "from an asset");

        JsonNode run =
                json(
                        server.post(
                                runs,
                                Map.of(
                                        "prompt",
                                        "/sh cat a.txt a-1.txt",
                                        "fileIds",
                                        List.of(upload),
                                        "assetIds",
                                        List.of(asset))));

        assertThat(run.get("response").stringValue())
                .contains("from an upload")
                .contains("from an asset");
        assertThat(run.get("files")).isEmpty(); // it made none
        JsonNode files = files(run);
        assertThat(names(files)).containsExactly("a.txt", "a-1.txt");
        assertThat(files.valueStream().map(file -> file.get("source").stringValue()))
                .containsOnly("user");
        String first = files.get(0).get("id").stringValue();
        assertThat(server.get("/api/runs/" + id(run) + "/files/" + first).body())
                .isEqualTo("from an upload");
        assertThat(server.get("/api/assets/" + asset).body()).isEqualTo("from an asset");
    }

    @Test
    void aRunGetsTheFilesOfAForm() throws Exception {
        String upload = uploaded("b.txt", "two");
        JsonNode run =
                json(
                        form(
                                new MultipartBody()
                                        .file("a.txt", "one")
                                        .field(
                                                "prompt",
                                                "/sh mkdir -p assets && cat a.txt b.txt > assets/c.txt")
                                        .field("fileIds", upload)
                                        .file("a.txt", "again")));

        assertThat(run.get("status").stringValue()).isEqualTo("succeeded");
        assertThat(names(run.get("files"))).containsExactly("c.txt");
        JsonNode files = files(run);
        assertThat(names(files)).containsExactly("b.txt", "a.txt", "a-1.txt", "c.txt");
        assertThat(files.get(3).get("source").stringValue()).isEqualTo("sandbox");
        assertThat(files.valueStream().map(file -> file.get("workspacePath").stringValue()))
                .containsExactly("b.txt", "a.txt", "a-1.txt", "assets/c.txt");
    }

    @Test
    void filesAloneAreAPrompt() throws Exception {
        JsonNode run = json(form(new MultipartBody().file("a.txt", "one")));
        assertThat(run.get("response").stringValue()).contains("a.txt");

        HttpResponse<String> nothing = server.post(runs, Map.of("prompt", ""));
        assertThat(nothing.statusCode()).isEqualTo(400);
        assertThat(nothing.body()).contains("prompt ");
    }

    @Test
    void whatARunLeavesIsReadByItsIdLiveAndFromASnapshot() throws Exception {
        JsonNode run =
                json(
                        form(
                                new MultipartBody()
                                        .field("prompt", "/sh mkdir deep && echo made > deep/b.txt")
                                        .file("a.txt", "given")));
        String files = "/api/sessions/" + id(run) + "/files";

        JsonNode live = server.getJson(files);
        assertThat(live.get("source").stringValue()).isEqualTo("sandbox");
        assertThat(live.get("files").valueStream().map(file -> file.get("path").stringValue()))
                .contains("a.txt", "deep/b.txt");
        assertThat(server.get(files + "/deep/b.txt").body()).isEqualTo("made\n");

        deleteLiveWorkspaces();
        HttpResponse<String> kept = server.get(files + "/deep/b.txt");
        assertThat(kept.body()).isEqualTo("made\n");
        assertThat(kept.headers().firstValue("X-Ash-Source")).hasValue("snapshot");
        assertThat(server.getJson("/api/sessions/" + id(run) + "/snapshots").get("snapshots"))
                .hasSize(1);
        assertThat(server.get("/api/sessions/" + id(run) + "/workspace").statusCode())
                .isEqualTo(200);
    }

    @Test
    void aRefusedRunLeavesNothing() throws Exception {
        String upload = uploaded("kept.txt", "kept");
        String unknown = "00000000-0000-4000-8000-000000000000";
        MultipartBody wrong = new MultipartBody().file("a.txt", "one").field("prompt", "hi");
        List<HttpResponse<String>> refused =
                List.of(
                        form(wrong.field("files", "x")),
                        form(new MultipartBody().file("a.txt", "one").field("fileIds", unknown)),
                        form(new MultipartBody().file("a.txt", "one").field("assetIds", unknown)),
                        server.post(runs, Map.of("prompt", "hi", "attachmentIds", List.of(upload))),
                        server.post(
                                runs,
                                Map.of(
                                        "prompt",
                                        "hi",
                                        "fileIds",
                                        List.of(upload, unknown),
                                        "assetIds",
                                        List.of(asset("x.txt", "x")))));

        assertThat(refused)
                .extracting(HttpResponse::statusCode)
                .containsExactly(400, 404, 404, 400, 404);
        assertThat(refused.get(0).body()).contains("unknown field files");
        assertThat(refused.get(3).body()).contains("unknown field attachmentIds");
        JsonNode storage = server.getJson("/api/storage");
        assertThat(storage.at("/uploads/count").intValue()).isEqualTo(1);
        assertThat(storage.at("/runFiles/count").intValue()).isZero();
        JsonNode run =
                json(
                        server.post(
                                runs,
                                Map.of("prompt", "/sh cat kept.txt", "fileIds", List.of(upload))));
        assertThat(run.get("response").stringValue()).contains("kept");
    }

    @Test
    void anUploadBelongsToOneRunAndARepeatedRequestIsTheSameRun() throws Exception {
        String upload = uploaded("a.txt", "one");
        Map<String, Object> body = Map.of("prompt", "/sh cat a.txt", "fileIds", List.of(upload));

        JsonNode first = json(repeatable(body));
        JsonNode second = json(repeatable(body));

        assertThat(id(second)).isEqualTo(id(first));
        assertThat(server.post(runs, body).statusCode()).isEqualTo(404);
        assertThat(names(files(first))).containsExactly("a.txt");
    }

    @Test
    void aDeletedRunLeavesNoFileAndNoObject() throws Exception {
        JsonNode run =
                json(
                        form(
                                new MultipartBody()
                                        .field(
                                                "prompt",
                                                "/sh mkdir assets && echo x > assets/out.txt")
                                        .file("a.txt", "given")));
        String path = "/api/runs/" + id(run);
        assertThat(server.getJson("/api/storage").at("/runFiles/count").intValue()).isEqualTo(2);

        assertThat(server.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(204);

        assertThat(server.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(404);
        assertThat(server.get(path).statusCode()).isEqualTo(404);
        assertThat(server.get("/api/sessions/" + id(run) + "/files").statusCode()).isEqualTo(404);
        JsonNode storage = server.getJson("/api/storage");
        assertThat(storage.get("bytes").longValue()).isZero();
        try (Stream<Path> left = Files.walk(data)) {
            assertThat(left.map(Path::toString).filter(it -> it.contains(id(run)))).isEmpty();
        }
    }

    @Test
    void theRunOfAChatIsNotDeletedAlone() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events =
                server.turn(Map.of("message", "/sh true", "chatId", chat))) {
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            events.rest();
            assertThat(server.sendAs(TestServer.KEY, "DELETE", "/api/runs/" + run).statusCode())
                    .isEqualTo(409);
        }
    }

    private HttpResponse<String> repeatable(Object body) throws Exception {
        return server.send(
                server.request(runs)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "the-same")
                        .POST(
                                java.net.http.HttpRequest.BodyPublishers.ofString(
                                        Json.MAPPER.writeValueAsString(body)))
                        .build());
    }

    private HttpResponse<String> form(MultipartBody form) throws Exception {
        return multipart(runs, form);
    }

    private HttpResponse<String> multipart(String path, MultipartBody form) throws Exception {
        return server.send(
                server.request(path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(form.publisher())
                        .build());
    }

    private String uploaded(String name, String content) throws Exception {
        return json(multipart("/agent-server/api/upload", new MultipartBody().file(name, content)))
                .at("/files/0/fileId")
                .stringValue();
    }

    private String asset(String name, String content) throws Exception {
        return json(multipart("/api/assets", new MultipartBody().file(name, content)))
                .at("/assets/0/id")
                .stringValue();
    }

    private JsonNode files(JsonNode run) throws Exception {
        return server.getJson("/api/runs/" + id(run) + "/files").get("files");
    }

    private static String id(JsonNode run) {
        return run.get("runId").stringValue();
    }

    private static List<String> names(JsonNode files) {
        return files.valueStream().map(file -> file.get("name").stringValue()).toList();
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return Json.MAPPER.readTree(response.body());
    }

    private void deleteLiveWorkspaces() throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("runner/workspaces"))) {
            for (Path file : files.skip(1).sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
