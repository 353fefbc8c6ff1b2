package dev.satchel.runner.model;

import static dev.satchel.runner.model.ModelWireFormat.OpenAi.call;
import static dev.satchel.runner.model.ModelWireFormat.OpenAi.chunk;
import static dev.satchel.runner.model.ModelWireFormat.OpenAi.content;
import static dev.satchel.runner.model.ModelWireFormat.OpenAi.end;
import static dev.satchel.runner.model.ModelWireFormat.OpenAi.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Habits of servers that only resemble OpenAI's. */
@Timeout(60)
class OpenAiQuirksTest {
    private static final String KEY = "sk-secret-of-the-operator";
    private static final String DONE = "data: [DONE]\n\n";

    private final ModelWireFormat wire = new ModelWireFormat.OpenAi();
    private final OutboundHttpClient connections = new OutboundHttpClient();
    private final RecordingListener listener = new RecordingListener();
    private ScriptedProvider server;

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedProvider();
    }

    @AfterEach
    void close() {
        connections.close();
        server.close();
    }

    private ModelReply listen(ChatHistory history) throws Exception {
        ModelSettings settings =
                new ModelSettings(ModelProvider.OPENAI, "m", wire.baseUrl(server), KEY);
        return new ModelFactory(
                        OperatorModels.of(settings),
                        Duration.ofSeconds(30),
                        connections,
                        connections,
                        ReachableHosts.NONE,
                        new RetryPolicy(ModelContract.NOW, _ -> {}, () -> 0))
                .find(null)
                .orElseThrow()
                .ask(history, List.of(), listener);
    }

    private ModelReply listen() throws Exception {
        return listen(ModelContract.question("hello"));
    }

    private ModelException failure() {
        return assertThatExceptionOfType(ModelException.class).isThrownBy(this::listen).actual();
    }

    private static String pieces(String json) {
        return chunk("{\"tool_calls\":[" + json + "]}", "null");
    }

    @Test
    void parallelCallsThatAllHaveIndexZeroStayApart() throws Exception {
        server.thenStream(
                start()
                        + call(0, "a", "sh", "{\"command\":\"ls\"}")
                        + call(0, "b", "sh", "")
                        + pieces("{\"index\":0,\"function\":{\"arguments\":\"{}\"}}")
                        + end("tool_calls"));
        assertThat(listen().calls())
                .containsExactly(
                        new ModelReply.Call("a", "sh", "{\"command\":\"ls\"}"),
                        new ModelReply.Call("b", "sh", "{}"));
    }

    @Test
    void callsWithoutIdAndIndexStayApartAndGetIds() throws Exception {
        String call = "{\"function\":{\"name\":\"sh\",\"arguments\":\"{}\"}}";
        server.thenStream(start() + pieces(call) + pieces(call) + end("tool_calls"));
        List<ModelReply.Call> calls = listen().calls();
        assertThat(calls).hasSize(2).extracting(ModelReply.Call::tool).containsOnly("sh");
        assertThat(calls)
                .extracting(ModelReply.Call::id)
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    @Test
    void interleavedPiecesOfCallsArePutTogether() throws Exception {
        server.thenStream(
                start()
                        + call(0, "a", "sh", "{\"x\"")
                        + call(1, "b", "sh", "{\"y\"")
                        + pieces("{\"index\":0,\"function\":{\"arguments\":\":1}\"}}")
                        + pieces("{\"index\":1,\"function\":{\"arguments\":\":2}\"}}")
                        + end("tool_calls"));
        assertThat(listen().calls())
                .containsExactly(
                        new ModelReply.Call("a", "sh", "{\"x\":1}"),
                        new ModelReply.Call("b", "sh", "{\"y\":2}"));
    }

    @Test
    void argumentsAsAnObjectAreJson() throws Exception {
        server.thenStream(
                start()
                        + pieces(
                                "{\"index\":0,\"id\":\"a\",\"function\":"
                                        + "{\"name\":\"sh\",\"arguments\":{\"command\":\"ls\"}}}")
                        + end("tool_calls"));
        assertThat(listen().calls())
                .containsExactly(new ModelReply.Call("a", "sh", "{\"command\":\"ls\"}"));
    }

    @Test
    void errorObjectInAStreamIsRepeated() throws Exception {
        server.thenStream(
                start()
                        + content("I thi")
                        + "data: {\"error\":{\"message\":\"upstream failed\",\"code\":502}}\n\n");
        server.thenStream(wire.text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.retries).singleElement().asString().contains("502", "upstream failed");
    }

    @Test
    void overflowInAStreamIsAnOverflow() {
        server.thenStream(
                "data: {\"error\":{\"message\":\"the request exceeds the available context size\","
                        + "\"type\":\"exceed_context_size_error\",\"code\":400}}\n\n");
        assertThat(failure().code()).isEqualTo(Code.CONTEXT_OVERFLOW);
    }

    @Test
    void contentAsAnArrayIsTextAndThinking() throws Exception {
        server.thenStream(
                start()
                        + chunk(
                                "{\"content\":[{\"type\":\"thinking\",\"thinking\":"
                                        + "[{\"type\":\"text\",\"text\":\"hm\"}]}]}",
                                "null")
                        + chunk("{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}", "null")
                        + end("stop"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.thinking).hasToString("hm");
    }

    @Test
    void missingFinishReasonIsNoError() throws Exception {
        server.thenStream(start() + content("ok") + DONE);
        assertThat(listen().text()).isEqualTo("ok");
    }

    @Test
    void unknownFinishReasonIsNoError() throws Exception {
        server.thenStream(start() + content("ok") + end("eos"));
        ModelReply reply = listen();
        assertThat(reply.text()).isEqualTo("ok");
        assertThat(reply.cut()).isFalse();
    }

    @Test
    void emptyAnswerIsAnAnswer() throws Exception {
        server.thenStream(start() + end("stop"));
        ModelReply reply = listen();
        assertThat(reply.text()).isEmpty();
        assertThat(reply.calls()).isEmpty();
    }

    @Test
    void compressedStreamIsRead() throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(wire.text("ok").getBytes(StandardCharsets.UTF_8));
        }
        server.then(
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                    ScriptedProvider.send(
                            exchange, 200, "text/event-stream", compressed.toByteArray());
                });
        assertThat(listen().text()).isEqualTo("ok");
    }

    private void redirect(String location) {
        server.then(
                exchange -> {
                    exchange.getResponseHeaders().set("Location", location);
                    exchange.sendResponseHeaders(307, -1);
                });
    }

    @Test
    void redirectOnTheSameHostIsFollowedWithBodyAndKey() throws Exception {
        redirect("/elsewhere/chat/completions");
        server.thenStream(wire.text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/elsewhere/chat/completions");
        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer " + KEY);
        assertThat(asked.body()).isEqualTo(server.asked().getFirst().body());
    }

    @Test
    void redirectToAnotherHostDoesNotGetTheKey() throws Exception {
        try (ScriptedProvider other = new ScriptedProvider()) {
            redirect(other.url() + "/v1/chat/completions");
            other.thenStream(wire.text("ok"));
            assertThat(listen().text()).isEqualTo("ok");
            assertThat(other.asked().getLast().headers()).doesNotContainKey("Authorization");
        }
    }

    @Test
    void pageInsteadOfTheApiIsAnErrorInWords() {
        server.then(
                exchange ->
                        ScriptedProvider.send(
                                exchange,
                                200,
                                "text/html",
                                "<html>login</html>".getBytes(StandardCharsets.UTF_8)));
        assertThat(failure().message()).contains("web page").doesNotContain("<html>");
    }

    @Test
    void reasoningOfACallIsSentBack() throws Exception {
        server.thenStream(
                start()
                        + chunk("{\"reasoning_content\":\"I should look.\"}", "null")
                        + call(0, "a", "sh", "{}")
                        + end("tool_calls"));
        server.thenStream(wire.text("ok"));
        ChatHistory history = ModelContract.question("hello");
        ModelReply reply = listen(history);
        history.add(reply);
        history.add(reply.calls().getFirst(), ToolResult.success("done"));
        listen(history);
        assertThat(server.asked().getLast().body().at("/messages/2/reasoning_content").asString())
                .isEqualTo("I should look.");
    }

    @Test
    void thinkTagsSplitOverPiecesAreThinking() throws Exception {
        server.thenStream(
                start()
                        + content("<th")
                        + content("ink>hm</t")
                        + content("hink>\n\nok")
                        + end("stop"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.thinking).hasToString("hm");
    }

    @Test
    void anEndlessReplyEndsAtItsLimit() {
        endlessly(content("x".repeat(1 << 20)));

        assertThat(failure().getMessage()).contains("over 16 MiB");
        assertThat(listener.text.length()).isLessThanOrEqualTo(16 << 20);
    }

    @Test
    void anEndlessLineEndsAtItsLimit() {
        endlessly("x".repeat(1 << 20));

        assertThat(failure().getMessage()).contains("over 4 MiB");
    }

    /** Also when the call is tried again. */
    private void endlessly(String piece) {
        for (int i = 0; i < RetryPolicy.DEFAULT_TRIES; i++) {
            server.then(exchange -> endless(exchange, piece));
        }
    }

    private static void endless(HttpExchange exchange, String piece) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = exchange.getResponseBody()) {
            while (true) {
                out.write(bytes);
            }
        } catch (IOException e) {
            exchange.close(); // the runner has hung up
        }
    }
}
