package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Open WebUI as the guide configures it: the same requests with the headers and bodies that its
 * router of OpenAI sends, at the address of the guide. It is a program of Python that no registry
 * of ours has, so its requests are made here.
 */
@Timeout(300)
class OpenWebUiGuideTest extends GuideFixture {
    private final List<Map<String, String>> thread = new ArrayList<>();

    @Override
    Path guide() {
        return Path.of("..", "docs", "guides", "openai-clients.md");
    }

    @Test
    void itsListOfModelsHasTheAgents() throws Exception {
        JsonNode models = Json.MAPPER.readTree(server.get(path("/models")).body());

        assertThat(models.get("data").valueStream().map(model -> model.get("id").stringValue()))
                .contains("satchel", "scripted");
    }

    @Test
    void aChatStaysOneConversationAndItsAnswersStream() throws Exception {
        assertThat(say("chat-1", "ada", "Sum it.", "Three.")).isEqualTo("Three.");
        assertThat(say("chat-1", "ada", "Again.", "Still three.")).isEqualTo("Still three.");

        assertThat(chats()).hasSize(1);
    }

    @Test
    void twoPeopleWhoSayTheSameHaveTwoConversations() throws Exception {
        say("chat-1", "ada", "Sum it.", "Three.");
        thread.clear();
        say("chat-2", "bob", "Sum it.", "Three.");

        assertThat(chats()).hasSize(2);
    }

    @Test
    void itsRequestForATitleIsAConversationOfItsOwn() throws Exception {
        say("chat-1", "ada", "Sum it.", "Three.");

        Map<String, Object> body =
                Map.of(
                        "model",
                        "satchel",
                        "messages",
                        List.of(user("### Task:\nGenerate a concise, 3-5 word title")),
                        "stream",
                        false,
                        "max_completion_tokens",
                        1000);
        CompletableFuture<String> title = post("chat-1", "ada", body);
        sandbox.next().answers("Sums");

        assertThat(Json.MAPPER.readTree(title.get()).at("/choices/0/message/content").stringValue())
                .isEqualTo("Sums");
        assertThat(say("chat-1", "ada", "Again.", "Still three.")).isEqualTo("Still three.");
        assertThat(chats()).hasSize(2);
    }

    /** Sends the next message of a thread as it does; the text that it shows. */
    private String say(String chat, String user, String message, String answer) throws Exception {
        thread.add(user(message));
        CompletableFuture<String> stream =
                post(
                        chat,
                        user,
                        Map.of(
                                "stream",
                                true,
                                "model",
                                "satchel",
                                "messages",
                                thread,
                                "stream_options",
                                Map.of("include_usage", true)));
        sandbox.next().answers(answer);
        String shown = shown(stream.get());
        thread.add(Map.of("role", "assistant", "content", shown));
        return shown;
    }

    private CompletableFuture<String> post(String chat, String user, Map<String, ?> body)
            throws IOException {
        HttpRequest request =
                server.request(path("/chat/completions"))
                        .header("Content-Type", "application/json")
                        .header("X-OpenWebUI-User-Name", user)
                        .header("X-OpenWebUI-User-Id", "id-of-" + user)
                        .header("X-OpenWebUI-User-Email", user + "@example.org")
                        .header("X-OpenWebUI-User-Role", "user")
                        .header("X-OpenWebUI-Chat-Id", chat)
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build();
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                answer.complete(server.send(request).body());
                            } catch (IOException | InterruptedException e) {
                                answer.completeExceptionally(e);
                            }
                        });
        return answer;
    }

    /** What it takes of a stream: the content of each chunk up to the end mark. */
    private static String shown(String stream) {
        assertThat(stream).endsWith("data: [DONE]\n\n");
        StringBuilder text = new StringBuilder();
        stream.lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.MAPPER.readTree(line.substring(6)))
                .forEach(
                        chunk -> text.append(chunk.at("/choices/0/delta/content").stringValue("")));
        return text.toString();
    }

    private static Map<String, String> user(String text) {
        return Map.of("role", "user", "content", text);
    }

    private List<JsonNode> chats() throws Exception {
        return server.getJson("/api/assistant/chats").get("chats").valueStream().toList();
    }

    /** Below the address that the guide gives it. */
    private String path(String rest) throws IOException {
        String lines =
                Files.readString(guide())
                        .lines()
                        .filter(line -> line.matches("[A-Z_]+=.*"))
                        .collect(Collectors.joining("\n"));
        Properties settings = new Properties();
        settings.load(new StringReader(lines));
        assertThat(settings.getProperty("ENABLE_FORWARD_USER_INFO_HEADERS")).isEqualTo("true");
        return URI.create(settings.getProperty("OPENAI_API_BASE_URL")).getPath() + rest;
    }
}
