package dev.satchel.server.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.protocol.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is posted to {@code /mcp}: the whole server answers, and never as if it had broken. */
class McpMessageFuzzTest {
    @TempDir static Path data;
    private static McpServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new McpServer(data);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Arguments> seeds() {
        return Stream.of(
                        call("view", Map.of("path", "fruit.txt", "view_range", List.of(1, 2))),
                        call("view", Map.of("path", "/app/uploads/x/uploaded/fruit.txt")),
                        call("view", Map.of("path", "/HALF")).replace("HALF", "\\ud800"),
                        call("grep", Map.of("pattern", "^a(b|c)*", "path", "uploaded")),
                        call("glob", Map.of("pattern", "**/*.{txt,md}")),
                        call("list_assets", Map.of("query", "x", "limit", 3)),
                        call("stage_asset", Map.of("id", "00000000-0000-4000-8000-000000000000")),
                        message("initialize", Map.of("protocolVersion", "2025-06-18")),
                        message("tools/list", Map.of("_meta", Map.of("x", 1))),
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
                        "[{\"jsonrpc\":\"2.0\",\"id\":1e400}]")
                .map(message -> Arguments.of(message.getBytes(UTF_8), "2025-11-25"));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyMessageIsAnswered(byte @NotNull [] message, @NotNull String version)
            throws Exception {
        HttpResponse<String> answer = server.send(message, header(version));
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202, 400, 404, 413, 429);
    }

    private static String call(String tool, Map<String, ?> arguments) {
        return message("tools/call", Map.of("name", tool, "arguments", arguments));
    }

    private static String message(String method, Map<String, ?> params) {
        return Json.MAPPER.writeValueAsString(
                Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", params));
    }

    private static String header(String any) {
        return any.replaceAll("[^ -~]", "?").strip();
    }
}
