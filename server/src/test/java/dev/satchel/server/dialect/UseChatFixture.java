package dev.satchel.server.dialect;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The real {@code useChat} of the AI SDK against a real server. Subclasses run with the two
 * versions in use.
 */
abstract class UseChatFixture {
    /** Not one of our ids: clients like to make their own. */
    static final String CHAT = "DzW8aPkUkEVMTxGx";

    @Parameter String version = "";

    ScriptedSandbox sandbox;
    TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = server(sandbox.url());
    }

    /** Without models, unless a test needs one. */
    TestServer server(URI runner) throws Exception {
        return TestServer.start(runner);
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    NodeClient page(String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(version, server.url("").toString(), TestServer.KEY, CHAT));
        arguments.addAll(List.of(more));
        return NodeClient.start("use-chat.mjs", arguments.toArray(String[]::new));
    }

    /** The report after the end of a stream that shows both messages at rest. */
    static JsonNode settled(NodeClient page) throws Exception {
        page.await("the stream has ended", report -> report.has("finished"));
        page.order(Map.of("do", "show"));
        return page.await("it shows", report -> report.has("shown"));
    }

    static boolean is(JsonNode report, String status) {
        return report.path("status").stringValue("").equals(status);
    }

    /** The parts of the last message, if that is an answer. */
    static JsonNode answer(JsonNode report) {
        JsonNode messages = report.path("messages");
        JsonNode last = messages.isEmpty() ? messages : messages.get(messages.size() - 1);
        return last.path("role").stringValue("").equals("assistant")
                ? last.get("parts")
                : Json.MAPPER.createArrayNode();
    }

    /** As docs/guides/your-own-page.md shows it. */
    static JsonNode withoutWithdrawn(JsonNode parts) {
        List<String> gone =
                parts.valueStream()
                        .filter(part -> part.get("type").stringValue().equals("data-withdrawn"))
                        .flatMap(part -> part.at("/data/ids").valueStream())
                        .map(JsonNode::stringValue)
                        .toList();
        ArrayNode kept = Json.MAPPER.createArrayNode();
        parts.valueStream()
                .filter(part -> !part.get("type").stringValue().equals("data-withdrawn"))
                .filter(
                        part ->
                                !gone.contains(
                                        part.at("/providerMetadata/satchel/id").stringValue("")))
                .forEach(kept::add);
        return kept;
    }

    static List<String> summary(JsonNode parts) {
        return parts.valueStream()
                .map(
                        part ->
                                switch (part.get("type").stringValue()) {
                                    case "text", "reasoning" ->
                                            part.get("type").stringValue()
                                                    + ":"
                                                    + part.get("text").stringValue();
                                    case "file" -> "file:" + part.get("mediaType").stringValue();
                                    case "dynamic-tool" ->
                                            "dynamic-tool:" + part.get("state").stringValue();
                                    default -> part.get("type").stringValue();
                                })
                .toList();
    }
}
