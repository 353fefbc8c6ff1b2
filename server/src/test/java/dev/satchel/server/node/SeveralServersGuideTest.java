package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.NginxProcess;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The nginx of docs/guides/several-servers.md in front of two servers, of which one is stopped. */
@Timeout(180)
class SeveralServersGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "several-servers.md");
    private static final Pattern NGINX = Pattern.compile("(?s)```nginx\n(.*?)```");
    private static final Pattern STARTS = Pattern.compile("(SATCHEL_\\w+)=(\\S+)");

    @TempDir private Path folder;

    @Test
    void aChatGoesOnThroughTheProxyAfterOneServerHasStopped() throws Exception {
        try (TestNodes nodes = new TestNodes();
                ScriptedSandbox sandbox = new ScriptedSandbox()) {
            TestServer one = nodes.start(TestConfiguration.remote(sandbox.url()));
            TestServer other = nodes.start(TestConfiguration.remote(sandbox.url()));
            try (NginxProcess nginx = nginx(one, other);
                    HttpClient client = CheckedHttpClient.create()) {
                String chat = one.newChat();
                upload(client, nginx, chat, "before.bin");
                turn(nginx, other, sandbox, chat);

                one.close();

                upload(client, nginx, chat, "after.bin");
                turn(nginx, other, sandbox, chat);
                HttpRequest files =
                        nginx.request("/api/assistant/chats/" + chat + "/files").build();
                assertThat(client.send(files, BodyHandlers.ofString()).body())
                        .contains("before.bin", "after.bin");
            }
        }
    }

    @Test
    void aServerUnderstandsTheVariablesOfTheGuide() throws Exception {
        Map<String, String> variables =
                STARTS.matcher(Files.readString(GUIDE))
                        .results()
                        .collect(
                                Collectors.toMap(
                                        it -> it.group(1), it -> it.group(2), (a, _) -> a));

        assertThat(variables).containsKeys("SATCHEL_HOST", "SATCHEL_NODE_URL");
        assertThat(ConfigurationReader.read(Map.of(), List.of(), variables).unknownVariables())
                .isEmpty();
    }

    private NginxProcess nginx(TestServer one, TestServer other) throws Exception {
        List<String> blocks =
                NGINX.matcher(Files.readString(GUIDE))
                        .results()
                        .map((MatchResult block) -> block.group(1))
                        .toList();
        assertThat(blocks).hasSize(2);
        String upstream =
                blocks.getFirst()
                        .replace("10.0.0.11:8080", "127.0.0.1:" + one.url("").getPort())
                        .replace("10.0.0.12:8080", "127.0.0.1:" + other.url("").getPort());
        return NginxProcess.start(folder, upstream, blocks.getLast());
    }

    private static void upload(HttpClient client, NginxProcess nginx, String chat, String name)
            throws Exception {
        HttpRequest request =
                nginx.request("/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(name, new byte[100_000]).publisher())
                        .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    private static void turn(
            NginxProcess nginx, TestServer reader, ScriptedSandbox sandbox, String chat)
            throws Exception {
        String body = "{\"chatId\":\"" + chat + "\",\"message\":\"hello\"}";
        HttpRequest request =
                nginx.request("/api/assistant/chat/stream")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        try (Events events = reader.events(request)) {
            RunOnStage run = sandbox.next();
            assertThat(events.next().orElseThrow().type()).isEqualTo("chat");
            run.answers("hi");
            assertThat(events.rest()).extracting(Events.Event::type).contains("result");
        }
    }
}
