package dev.satchel.server.dialect;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** A client of another project in a process that all tests of a class share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientFixture {
    ScriptedSandbox sandbox;
    TestServer server;
    NodeClient client;

    /** The script of the client. */
    abstract String script();

    @BeforeAll
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
        client = NodeClient.start(script(), server.url("").toString(), TestServer.KEY);
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
        sandbox.close();
    }

    void order(String what, Map<String, ?> order) throws Exception {
        Map<String, Object> whole = new HashMap<>(order);
        whole.put("do", what);
        client.order(whole);
    }

    JsonNode result() throws Exception {
        JsonNode report =
                client.await("it is answered", it -> it.has("result") || it.has("refused"));
        if (report.has("refused")) {
            throw new AssertionError(report);
        }
        return report.get("result");
    }

    JsonNode refused() throws Exception {
        return client.await("it is refused", it -> it.has("refused")).get("refused");
    }

    /** The events of the stream that ends next. */
    List<JsonNode> streamed() throws Exception {
        int before = client.seen().size();
        client.await("the stream has ended", it -> it.has("ended"));
        return client.seen().subList(before, client.seen().size()).stream()
                .filter(it -> it.has("event"))
                .map(it -> it.get("event"))
                .toList();
    }

    /** The chats of the server, the newest first. */
    List<String> chats() throws Exception {
        return server.getJson("/api/assistant/chats")
                .get("chats")
                .valueStream()
                .map(chat -> chat.get("id").stringValue())
                .toList();
    }

    List<String> thread(String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat)
                .get("messages")
                .valueStream()
                .map(
                        message ->
                                message.get("role").stringValue()
                                        + ":"
                                        + message.get("content")
                                                .valueStream()
                                                .map(block -> block.path("text").stringValue(""))
                                                .collect(Collectors.joining()))
                .toList();
    }
}
