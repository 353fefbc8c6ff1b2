package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A whole server with one conversation and one file in it, and a token for its tools. */
final class McpServer implements AutoCloseable {
    private static final String KEY = "sk_satchel_key_of_the_fuzz_tests";
    private static final String FILE =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"fruit.txt\"\r\n\r\n"
                    + "apple\npear\n\r\n--b--\r\n";

    private final Application application;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String token;

    McpServer(Path data) throws Exception {
        Map<String, String> flags = Map.of("--port", "0", "--data", data.toString());
        Map<String, String> variables = Map.of("SATCHEL_API_KEY", KEY, "SATCHEL_RUNNER", "none");
        Configuration configuration =
                ConfigurationReader.read(flags, List.of(), variables).configuration();
        application = new Application(configuration, Clock.systemUTC(), Clock.systemUTC());
        application.start();
        String chats = "/api/assistant/chats";
        String chat = post(chats, "application/json", "{}").get("id").stringValue();
        post(chats + "/" + chat + "/files", "multipart/form-data; boundary=b", FILE);
        token =
                post(chats + "/" + chat + "/mcp-token", "application/json", "{}")
                        .get("token")
                        .stringValue();
    }

    HttpResponse<String> send(byte[] message, String version) throws Exception {
        return client.send(
                request("/mcp", token, "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", version)
                        .POST(BodyPublishers.ofByteArray(message))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
        application.close();
    }

    private JsonNode post(String path, String type, String body) throws Exception {
        BodyPublisher content = BodyPublishers.ofString(body);
        HttpResponse<String> response =
                client.send(
                        request(path, KEY, type).POST(content).build(), BodyHandlers.ofString());
        return Json.MAPPER.readTree(response.body());
    }

    private HttpRequest.Builder request(String path, String credential, String type) {
        return HttpRequest.newBuilder(URI.create(application.publicUrl() + path))
                .header("Authorization", "Bearer " + credential)
                .header("Content-Type", type);
    }
}
