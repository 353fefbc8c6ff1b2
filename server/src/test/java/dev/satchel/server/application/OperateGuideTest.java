package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.DebianTool;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.NginxProcess;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the configurations in docs/guides/operate.md with the programs that read them. */
@Timeout(120)
class OperateGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "operate.md");

    @TempDir private Path folder;
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void nginxLetsEventsThroughOneByOneAndLargeUploadsToo() throws Exception {
        try (HttpClient client = CheckedHttpClient.create();
                NginxProcess nginx = nginx(snippet("nginx", "location"))) {
            String chat = server.newChat();
            HttpResponse<String> uploaded =
                    client.send(
                            nginx.request("/api/assistant/chats/" + chat + "/files")
                                    .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                    .POST(
                                            new MultipartBody()
                                                    .file("large.bin", new byte[5_000_000])
                                                    .publisher())
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(uploaded.statusCode()).as(uploaded.body()).isEqualTo(201);

            try (Events events =
                    server.events(
                            nginx.request("/api/assistant/chat/stream")
                                    .POST(BodyPublishers.ofString("{\"message\":\"hello\"}"))
                                    .build())) {
                RunOnStage run = sandbox.next();
                assertThat(events.next().orElseThrow().type()).isEqualTo("chat");
                run.stepStarts("s1", "bash");
                assertThat(events.next().orElseThrow().type()).isEqualTo("step"); // at once
                run.answers("hi");
                assertThat(events.rest()).hasSize(2);
            }
            assertThat(statusFromNginx(nginx.request("/metrics").build())).isEqualTo(404);
        }
    }

    /** The response is nginx's own, so it is not checked against the API document. */
    private static int statusFromNginx(HttpRequest request) throws Exception {
        try (HttpClient unchecked = HttpClient.newBuilder().build()) {
            return unchecked.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void promtoolTakesTheMetricsAndTheScrape() throws Exception {
        server.newChat();
        Path metrics = Files.writeString(folder.resolve("metrics"), server.get("/metrics").body());
        Path scrape =
                Files.writeString(folder.resolve("scrape.yml"), snippet("yaml", "scrape_configs"));
        String promtool = DebianTool.find("usr/bin/promtool").toString();

        assertThat(run(List.of("sh", "-c", promtool + " check metrics < " + metrics))).isEmpty();
        assertThat(run(List.of(promtool, "check", "config", scrape.toString())))
                .contains("SUCCESS");
    }

    /** The guide's code of a kind that begins with a word. */
    private static String snippet(String kind, String begin) throws IOException {
        return Arrays.stream(Files.readString(GUIDE).split("```" + kind + "\n"))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .filter(code -> code.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
        return output;
    }

    private NginxProcess nginx(String locations) throws IOException {
        String address = "127.0.0.1:" + server.url("").getPort();
        return NginxProcess.start(folder, "", locations.replace("127.0.0.1:8080", address));
    }
}
