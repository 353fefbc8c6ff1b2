package dev.satchel.server.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A runner that knows the plain protocol only, without routes for its workspaces. */
@Timeout(60)
class PlainRunnerFilesTest {
    @Test
    void everyTurnGetsTheWholeBagAndTheFilesApiShowsWhatWasGivenAndHandedIn() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                SandboxCalls calls = new SandboxCalls();
                TestServer server = TestServer.start(sandbox.url())) {
            String chat = server.newChat();
            server.upload(chat, "given.txt", "given");
            for (int turn = 0; turn < 2; turn++) {
                try (TestServer.Events events =
                        server.turn(Map.of("message", "go", "chatId", chat))) {
                    ScriptedSandbox.RunOnStage run = sandbox.next();
                    JsonNode assets =
                            Json.MAPPER
                                    .readTree(
                                            calls.get(
                                                            run.dispatch(),
                                                            "/config",
                                                            requireNonNull(run.dispatch().otpRun()))
                                                    .body())
                                    .get("assets");
                    assertThat(assets.has("in_workspace")).isFalse();
                    assertThat(zip(assets.get("url").stringValue())).contains("given.txt");
                    calls.handIn(
                            run.dispatch(), new MultipartBody().file("made-" + turn + ".txt", "m"));
                    run.answers("done");
                    events.rest();
                }
            }

            JsonNode listing = server.getJson("/api/sessions/" + chat + "/files");
            assertThat(listing.get("source").stringValue()).isEqualTo("snapshot");
            List<String> paths = new ArrayList<>();
            listing.get("files").forEach(file -> paths.add(file.get("path").stringValue()));
            assertThat(paths).contains("given.txt", "assets/made-0.txt", "assets/made-1.txt");
            assertThat(server.get("/api/sessions/" + chat + "/files/given.txt").body())
                    .isEqualTo("given");
        }
    }

    private static List<String> zip(String url) throws Exception {
        List<String> names = new ArrayList<>();
        try (HttpClient client = CheckedHttpClient.create()) {
            byte[] body =
                    client.send(
                                    HttpRequest.newBuilder(URI.create(url)).build(),
                                    BodyHandlers.ofByteArray())
                            .body();
            try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(body))) {
                for (ZipEntry entry = entries.getNextEntry();
                        entry != null;
                        entry = entries.getNextEntry()) {
                    names.add(entry.getName());
                }
            }
        }
        return names;
    }
}
