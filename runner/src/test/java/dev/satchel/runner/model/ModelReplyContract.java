package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What every provider does with thinking, usage, several calls, retries and errors. */
abstract class ModelReplyContract extends ModelContract {
    final RecordingListener listener = new RecordingListener();

    ModelReply listen(ChatHistory history) throws Exception {
        return models.find(null).orElseThrow().ask(history, List.of(shell()), listener);
    }

    ModelReply listen() throws Exception {
        return listen(question("hello"));
    }

    @Test
    void thinkingIsStreamedApartFromTheAnswer() throws Exception {
        server.thenStream(wire().thinking("I wonder.", "42"));
        ModelReply reply = listen();
        assertThat(reply.text()).isEqualTo("42");
        assertThat(listener.text).hasToString("42");
        assertThat(listener.thinking).hasToString("I wonder.");
    }

    @Test
    void tokensAreCountedWithoutOverlap() throws Exception {
        server.thenStream(wire().text("ok"));
        ModelReply reply = listen();
        assertThat(reply.usage()).isEqualTo(listener.usage()).isEqualTo(usage());
    }

    abstract TokenUsage usage();

    @Test
    void severalCallsOfOneReplyAreAnsweredInOrder() throws Exception {
        server.thenStream(wire().twoCalls("call_a", "call_b", "sh", "{\"command\":\"ls\"}"));
        server.thenStream(wire().text("ok"));
        ChatHistory history = question("hello");
        ModelReply reply = listen(history);
        assertThat(reply.calls())
                .containsExactly(
                        new ModelReply.Call("call_a", "sh", "{\"command\":\"ls\"}"),
                        new ModelReply.Call("call_b", "sh", "{\"command\":\"ls\"}"));
        history.add(reply);
        reply.calls().forEach(call -> history.add(call, ToolResult.success("of " + call.id())));
        listen(history);
        String sent = lastBody().path("messages").toString();
        assertThat(sent.indexOf("of call_a")).isPositive().isLessThan(sent.indexOf("of call_b"));
    }

    @Test
    void callIsRepeatedAfterTooManyRequests() throws Exception {
        server.thenRefuse(429, "{\"error\":{\"message\":\"slow down\"}}");
        server.thenStream(wire().text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.retries)
                .singleElement()
                .asString()
                .startsWith("1 1000 model_rate_limited")
                .contains("slow down");
        assertThat(waits).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void streamThatBreaksOffIsRepeatedAndItsTextWithdrawn() throws Exception {
        server.thenStream(wire().unfinished("I thi"));
        server.thenStream(wire().text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.text).hasToString("ok");
        assertThat(listener.retries)
                .singleElement()
                .asString()
                .contains("model_error", "broke off");
    }

    @Test
    void refusalHasTheWordsOfTheProvider() {
        server.thenStream(wire().refusal("I cannot help with that."));
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_REFUSED);
        assertThat(failure.message()).contains("I cannot help with that.");
    }

    @Test
    void requestThatIsTooLongIsAnOverflow() {
        server.thenRefuse(wire().overflow().status(), wire().overflow().body());
        assertThat(failure().code()).isEqualTo(Code.CONTEXT_OVERFLOW);
        assertThat(waits).isEmpty();
    }

    @Test
    void refusedKeyNamesItsVariable() {
        server.thenRefuse(401, "{\"error\":{\"message\":\"bad key " + KEY + "\"}}");
        assertThat(failure().message()).contains(wire().provider().keyVariable());
    }

    @Test
    void unknownModelIsNamedWithTheKnownOnes() {
        server.thenRefuse(404, "{\"error\":{\"message\":\"no such model\"}}");
        server.thenRefuse(200, "{\"data\":[{\"id\":\"model-a\"},{\"id\":\"model-b\"}]}");
        assertThat(failure().message()).contains(wire().model(), "model-a, model-b");
    }

    @Test
    void pageOfAProxyIsNotShown() {
        server.refuseAll(502, "<html><body>Bad gateway nginx</body></html>");
        assertThat(failure().message()).contains("502").doesNotContain("<").doesNotContain("nginx");
    }

    @Test
    void wholeReplyOfAServerThatDoesNotStreamCounts() throws Exception {
        server.thenRefuse(200, wholeReply());
        ModelReply reply = listen();
        assertThat(reply.text()).isEqualTo("all at once");
        assertThat(listener.text).hasToString("all at once");
    }

    abstract String wholeReply();

    /** A changed beginning would not be found in the provider's cache. */
    @Test
    void beginningOfTheRequestStaysTheSameBetweenRounds() throws Exception {
        ChatHistory history = question("hello");
        String arguments = "{\"command\":\"ls\"}";
        for (int round = 0; round < 3; round++) {
            server.thenStream(wire().toolCall("Let me look.", "call_" + round, "sh", arguments));
            ModelReply reply = listen(history);
            history.add(reply);
            history.add(reply.calls().getFirst(), ToolResult.success("result " + round));
        }
        List<String> bodies =
                server.asked().stream().map(asked -> withoutMarks(asked.body())).toList();
        for (int i = 1; i < bodies.size(); i++) {
            String before = bodies.get(i - 1);
            String open = before.substring(0, before.length() - "]}".length());
            assertThat(bodies.get(i)).startsWith(open);
        }
    }

    /** The marks of the cache move, and are no part of what is cached. */
    private static String withoutMarks(JsonNode body) {
        String json = body.toString().replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
        assertThat(json).endsWith("]}").doesNotContain("cache_control");
        return json;
    }
}
