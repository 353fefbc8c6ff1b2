package dev.satchel.server.asset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class AssetTest {
    private static final String UNKNOWN = "00000000-0000-0000-0000-000000000000";

    private final SandboxCalls calls = new SandboxCalls();
    private ScriptedSandbox sandbox;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        calls.close();
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void assetsAreListedNewestFirstPageByPage(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            for (String name : List.of("a.txt", "b.txt", "c.txt")) {
                upload(server, new MultipartBody().file(name, name));
            }

            JsonNode first = server.getJson("/api/assets?limit=2");
            JsonNode second =
                    server.getJson(
                            "/api/assets?limit=2&cursor=" + first.get("nextCursor").stringValue());

            List<String> names = new ArrayList<>(names(first));
            names.addAll(names(second));
            assertThat(names).containsExactlyInAnyOrder("a.txt", "b.txt", "c.txt");
            assertThat(second.get("nextCursor").isNull()).isTrue();
            assertThat(times(first).getFirst()).isGreaterThanOrEqualTo(times(first).getLast());
            assertThat(times(first).getLast()).isGreaterThanOrEqualTo(times(second).getFirst());
            assertThat(server.get("/api/assets?cursor=x").statusCode()).isEqualTo(400);
            String nul =
                    Base64.getUrlEncoder().encodeToString("1:\0".getBytes(StandardCharsets.UTF_8));
            assertThat(server.get("/api/assets?cursor=" + nul).statusCode()).isEqualTo(400);
            assertThat(server.get("/api/assets?limit=0").statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSearchIgnoresCaseAndTreatsWildcardsLiterally(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            upload(
                    server,
                    new MultipartBody()
                            .file("Überblick.csv", "1")
                            .file("100%_done!.txt", "2")
                            .file("other.txt", "3"));

            assertThat(search(server, "ÜBER")).containsExactly("Überblick.csv");
            assertThat(search(server, "0%_D")).containsExactly("100%_done!.txt");
            assertThat(search(server, "e!")).containsExactly("100%_done!.txt");
            assertThat(search(server, "%")).containsExactly("100%_done!.txt");
            assertThat(search(server, "o_h")).isEmpty();
            assertThat(search(server, "")).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAssetIsDownloadedUntilItIsDeleted(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            JsonNode asset = upload(server, new MultipartBody().file("a.txt", "hello")).getFirst();
            assertThat(asset.get("size").longValue()).isEqualTo(5);
            assertThat(asset.get("mimeType").stringValue()).isEqualTo("text/plain");

            HttpResponse<String> bytes = server.get(path(asset));
            assertThat(bytes.body()).isEqualTo("hello");
            assertThat(bytes.headers().firstValue("Content-Disposition").orElse(""))
                    .startsWith("attachment; filename=\"a.txt\"");
            HttpResponse<String> part =
                    server.send(server.request(path(asset)).header("Range", "bytes=1-2").build());
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.body()).isEqualTo("el");

            String other = server.keyOf("other");
            assertThat(server.sendAs(other, "GET", path(asset)).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(other, "DELETE", path(asset)).statusCode()).isEqualTo(404);
            assertThat(
                            names(
                                    Json.MAPPER.readTree(
                                            server.sendAs(other, "GET", "/api/assets").body())))
                    .isEmpty();
            assertThat(server.sendAs(TestServer.KEY, "DELETE", path(asset)).statusCode())
                    .isEqualTo(204);
            assertThat(server.get(path(asset)).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(TestServer.KEY, "DELETE", path(asset)).statusCode())
                    .isEqualTo(404);
            assertThat(names(server.getJson("/api/assets"))).isEmpty();
        }
    }

    @Test
    void deletingAnAssetDeletesItsBytes() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        try (TestServer server = TestServer.start(data, null, sandbox.url())) {
            JsonNode asset = upload(server, new MultipartBody().file("a.txt", "hello")).getFirst();
            assertThat(objects(data))
                    .containsExactly("assets/default/" + asset.get("id").stringValue() + "/a.txt");

            server.sendAs(TestServer.KEY, "DELETE", path(asset));

            assertThat(objects(data)).isEmpty();
        }
    }

    @Test
    void anUploadThatIsTooLargeLeavesNothing() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        try (TestServer server = TestServer.start(data, null, sandbox.url())) {
            HttpResponse<String> tooLarge =
                    send(
                            server,
                            new MultipartBody()
                                    .file("ok.txt", "x")
                                    .file("big", new byte[10_000_001]));
            MultipartBody many = new MultipartBody();
            for (int i = 0; i < 11; i++) {
                many.file(i + ".txt", "x");
            }
            HttpResponse<String> tooMany = send(server, many);

            assertThat(tooLarge.statusCode()).isEqualTo(413);
            assertThat(tooMany.statusCode()).isEqualTo(413);
            assertThat(send(server, new MultipartBody()).statusCode()).isEqualTo(400);
            assertThat(names(server.getJson("/api/assets"))).isEmpty();
            assertThat(objects(data)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSavedFileStaysWhenItsChatIsDeleted(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            String chat = server.newChat();
            JsonNode file = server.upload(chat, "notes.txt", "keep me");
            String save = chatFile(chat, file) + "/save";

            assertThat(server.sendAs(server.keyOf("other"), "POST", save).statusCode())
                    .isEqualTo(404);
            HttpResponse<String> saved = server.sendAs(TestServer.KEY, "POST", save);
            assertThat(saved.statusCode()).isEqualTo(201);
            JsonNode asset = Json.MAPPER.readTree(saved.body());
            assertThat(asset.get("name").stringValue()).isEqualTo("notes.txt");
            assertThat(asset.get("sha256")).isEqualTo(file.get("sha256"));

            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);

            assertThat(server.get(chatFile(chat, file)).statusCode()).isEqualTo(404);
            assertThat(server.get(path(asset)).body()).isEqualTo("keep me");
            assertThat(server.sendAs(TestServer.KEY, "POST", save).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aFileOfARunCanBeSaved() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events events = server.turn(Map.of("message", "make it"))) {
            RunOnStage run = sandbox.next();
            calls.handIn(run.dispatch(), new MultipartBody().file("made.txt", "made"));
            run.answers("made");
            events.rest();
            String files = "/api/runs/" + run.dispatch().sessionId() + "/files";
            String id = server.getJson(files).at("/files/0/id").stringValue();

            HttpResponse<String> saved =
                    server.sendAs(TestServer.KEY, "POST", files + "/" + id + "/save");

            assertThat(saved.statusCode()).isEqualTo(201);
            assertThat(server.get(path(Json.MAPPER.readTree(saved.body()))).body())
                    .isEqualTo("made");
            assertThat(
                            server.sendAs(TestServer.KEY, "POST", files + "/" + UNKNOWN + "/save")
                                    .statusCode())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSandboxStagesAssetsWithItsRunTokenWhileItRuns(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url());
                Events events = server.turn(Map.of("message", "stage it"))) {
            JsonNode asset = upload(server, new MultipartBody().file("a.txt", "hello")).getFirst();
            RunOnStage run = sandbox.next();
            Dispatch given = run.dispatch();
            String staged = "/staged/" + asset.get("id").stringValue();

            assertThat(calls.get(given, staged, given.otpRun()).statusCode())
                    .as("not redeemed yet")
                    .isEqualTo(401);
            calls.get(given, "/config", given.otpRun());
            HttpResponse<String> bytes = calls.get(given, staged, given.otpRun());
            assertThat(bytes.statusCode()).isEqualTo(200);
            assertThat(bytes.body()).isEqualTo("hello");
            assertThat(bytes.headers().firstValue("Content-Disposition").orElse(""))
                    .contains("filename=\"a.txt\"");
            assertThat(calls.get(given, staged, given.otpSetup()).statusCode()).isEqualTo(401);
            assertThat(calls.get(given, staged, TestServer.KEY).statusCode()).isEqualTo(401);
            assertThat(calls.get(given, "/staged/" + UNKNOWN, given.otpRun()).statusCode())
                    .isEqualTo(404);
            assertThat(calls.get(given, "/staged/7", given.otpRun()).statusCode()).isEqualTo(404);

            run.answers("done");
            events.rest();
            assertThat(calls.get(given, staged, given.otpRun()).statusCode())
                    .as("the run is over")
                    .isEqualTo(401);
        }
    }

    @Test
    void aSandboxStagesNothingOfAnotherTenant() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events _ = server.turn(Map.of("message", "stage it"))) {
            String other = server.keyOf("other");
            HttpResponse<String> theirs =
                    server.send(
                            server.request("/api/assets")
                                    .setHeader("Authorization", "Bearer " + other)
                                    .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                    .POST(new MultipartBody().file("a.txt", "x").publisher())
                                    .build());
            String id = Json.MAPPER.readTree(theirs.body()).at("/assets/0/id").stringValue();
            Dispatch given = sandbox.next().dispatch();
            calls.get(given, "/config", given.otpRun());

            assertThat(calls.get(given, "/staged/" + id, given.otpRun()).statusCode())
                    .isEqualTo(404);
        }
    }

    private static HttpResponse<String> send(TestServer server, MultipartBody body)
            throws Exception {
        return server.send(
                server.request("/api/assets")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build());
    }

    private static List<JsonNode> upload(TestServer server, MultipartBody body) throws Exception {
        HttpResponse<String> response = send(server, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return Json.MAPPER.readTree(response.body()).get("assets").valueStream().toList();
    }

    private static List<String> search(TestServer server, String text) throws Exception {
        String query = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return names(server.getJson("/api/assets?q=" + query));
    }

    private static List<String> names(JsonNode page) {
        return page.get("assets").valueStream().map(a -> a.get("name").stringValue()).toList();
    }

    private static List<Long> times(JsonNode page) {
        return page.get("assets").valueStream().map(a -> a.get("createdAt").longValue()).toList();
    }

    private static String path(JsonNode asset) {
        return "/api/assets/" + asset.get("id").stringValue();
    }

    private static String chatFile(String chat, JsonNode file) {
        return "/api/assistant/chats/" + chat + "/files/" + file.get("id").stringValue();
    }

    /** What lies in the object store, by key. */
    private static List<String> objects(Path data) throws IOException {
        Path root = data.resolve("objects");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .filter(key -> !key.startsWith("."))
                    .toList();
        }
    }
}
