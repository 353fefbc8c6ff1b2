package dev.satchel.bench.upload;

import dev.satchel.bench.process.ApiClient;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads one file of a conversation page by page, as an agent does with {@code view}. */
final class PagedView {
    private static final Pattern LINES = Pattern.compile("of (\\d+)\\. Use view_range");

    private final ApiClient api;
    private final String token;
    private final String path;

    PagedView(ApiClient api, String chat, String name) throws IOException, InterruptedException {
        this.api = api;
        this.path = "uploaded/" + name;
        this.token =
                api.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of())
                        .get("token")
                        .stringValue();
    }

    long lines() throws IOException, InterruptedException {
        String text = view(1);
        Matcher lines = LINES.matcher(text);
        if (!lines.find()) {
            throw new IOException("this page does not say how many lines there are: " + text);
        }
        return Long.parseLong(lines.group(1));
    }

    /** How many nanoseconds the page took that begins with a line. */
    long read(long line) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String text = view(line);
        if (!text.startsWith(line + ". ")) {
            throw new IOException("not the page of line " + line + ": " + text);
        }
        return System.nanoTime() - start;
    }

    private String view(long line) throws IOException, InterruptedException {
        Map<String, Object> arguments = Map.of("path", path, "view_range", List.of(line, -1));
        Map<String, Object> call =
                Map.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        line,
                        "method",
                        "tools/call",
                        "params",
                        Map.of("name", "view", "arguments", arguments));
        HttpRequest request =
                HttpRequest.newBuilder(api.request("/mcp").build().uri())
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(call)))
                        .build();
        HttpResponse<String> response = api.send(request, BodyHandlers.ofString());
        JsonNode text = Json.MAPPER.readTree(response.body()).at("/result/content/0/text");
        if (!text.isString()) {
            throw new IOException("view answered " + response.body());
        }
        return text.stringValue();
    }
}
