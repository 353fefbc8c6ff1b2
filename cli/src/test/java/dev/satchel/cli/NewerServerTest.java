package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that sends unknown fields: {@code --json} prints all of them. */
@Timeout(60)
class NewerServerTest {
    private static final String CHAT = "11111111-2222-3333-4444-555555555555";
    private static final String ABOUT_A_CHAT =
            "\"id\":\"%s\",\"workspaceId\":\"w\",\"title\":null,\"messageCount\":1,\"createdAt\":1,\"updatedAt\":2,\"mood\":{\"is\":\"calm\"}"
                    .formatted(CHAT);

    /** The fields that hold the list of each answer. */
    private static final Map<String, String> ANSWERS =
            Map.ofEntries(
                    Map.entry("/api/assistant/chats", "{\"chats\":[{" + ABOUT_A_CHAT + "}]}"),
                    Map.entry(
                            "/api/assistant/chats/" + CHAT,
                            "{" + ABOUT_A_CHAT + ",\"messages\":[],\"nextCursor\":null}"),
                    Map.entry("/api/agents", "{\"agents\":[" + item("name") + "]}"),
                    Map.entry("/api/models", "{\"models\":[" + item("name") + "]}"),
                    Map.entry("/api/keys", "{\"keys\":[" + item("name") + "]}"),
                    Map.entry("/api/assets", "{\"assets\":[" + item("name") + "]}"),
                    Map.entry(
                            "/api/assistant/chats/" + CHAT + "/files",
                            "{\"files\":[" + item("name") + "]}"),
                    Map.entry(
                            "/api/sessions/" + CHAT + "/files",
                            "{\"files\":[" + item("path") + "],\"source\":\"live\"}"),
                    Map.entry(
                            "/api/sessions/" + CHAT + "/snapshots",
                            "{\"snapshots\":[" + item("id") + "]}"),
                    Map.entry("/api/storage", "{\"bytes\":1,\"colour\":\"blue\",\"chats\":[]}"),
                    Map.entry("/api/runs/r1/trace", "{\"type\":\"song\",\"text\":\"la\"}\n"));

    private HttpServer newer;

    @BeforeEach
    void start() throws IOException {
        newer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        newer.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    byte[] answer =
                            ANSWERS.getOrDefault(path, "{}").getBytes(StandardCharsets.UTF_8);
                    String type = path.endsWith("/trace") ? "x-ndjson" : "json";
                    exchange.getResponseHeaders().add("Content-Type", "application/" + type);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        newer.start();
    }

    @AfterEach
    void stop() {
        newer.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "chats, /api/assistant/chats",
        "chats show " + CHAT + ", /api/assistant/chats/" + CHAT,
        "agents, /api/agents",
        "models, /api/models",
        "keys, /api/keys",
        "assets, /api/assets",
        "bag ls " + CHAT + ", /api/assistant/chats/" + CHAT + "/files",
        "files ls " + CHAT + ", /api/sessions/" + CHAT + "/files",
        "files snapshots " + CHAT + ", /api/sessions/" + CHAT + "/snapshots",
        "storage, /api/storage",
        "trace r1, /api/runs/r1/trace"
    })
    void jsonIsPrintedAsReceived(String command, String path) throws Exception {
        String url = "http://127.0.0.1:" + newer.getAddress().getPort();
        String[] arguments =
                Stream.concat(
                                Arrays.stream(command.split(" ")),
                                Stream.of("--json", "--url", url, "--key", "k"))
                        .toArray(String[]::new);

        Outcome outcome =
                SatchelProcess.finish(
                        new ProcessBuilder(SatchelProcess.java("dev.satchel.cli.Main", arguments))
                                .start());

        assertThat(outcome.code()).as(outcome.err()).isEqualTo(0);
        assertThat(outcome.out().strip()).isIn(whole(path), theOne(path));
    }

    private static String item(String name) {
        return "{\"id\":\"i1\",\""
                + (name.equals("id") ? "kind" : name)
                + "\":\"one\",\"size\":3,\"createdAt\":\"2026-01-01T00:00:00Z\",\"updatedAt\":\"2026-01-01T00:00:00Z\",\"modifiedAt\":\"2026-01-01T00:00:00Z\",\"model\":{},\"variables\":{},\"allowedHosts\":[],\"empty\":null,\"more\":[1,{\"a\":true}]}";
    }

    private static String whole(String path) {
        return ANSWERS.getOrDefault(path, "").strip();
    }

    /** The only element of a list. */
    private static String theOne(String path) {
        String list = whole(path);
        return list.contains("[{")
                ? list.substring(list.indexOf("[{") + 1, list.lastIndexOf(']'))
                : list;
    }
}
