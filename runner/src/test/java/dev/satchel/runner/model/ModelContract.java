package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What every provider does, over its wire format. */
@Timeout(60)
abstract class ModelContract {
    static final String KEY = "sk-secret-of-the-operator";
    static final ToolResult.Image PIXEL = new ToolResult.Image("image/png", "iVBORw0KGgo=");

    static final Clock NOW = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    ScriptedProvider server;
    final OutboundHttpClient connections = new OutboundHttpClient();
    ModelFactory models;
    final List<String> heard = new ArrayList<>();
    final List<Duration> waits = new ArrayList<>();

    abstract ModelWireFormat wire();

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedProvider(wire());
        models = models(Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        connections.close();
        server.close();
    }

    ModelFactory models(Duration timeout) {
        return new ModelFactory(
                OperatorModels.of(
                        new ModelSettings(
                                wire().provider(), wire().model(), wire().baseUrl(server), KEY)),
                timeout,
                connections,
                connections,
                ReachableHosts.NONE,
                new RetryPolicy(NOW, waits::add, () -> 0));
    }

    ModelReply ask(ChatHistory dialogue) throws ModelException, IOException, InterruptedException {
        return models.find(null).orElseThrow().ask(dialogue, List.of(shell()), heard::add);
    }

    static ChatHistory question(String text) {
        ChatHistory dialogue = new ChatHistory("Be brief.", List.of());
        dialogue.ask(text, List.of());
        return dialogue;
    }

    static ToolDescription shell() {
        String schema =
                """
                {"type": "object", "required": ["command"], "properties": {
                "command": {"type": "string", "description": "what to run"},
                "seconds": {"type": "integer", "minimum": 1}}}\
                """;
        return new ToolDescription("sh", List.of(), "Runs a command.", schema);
    }

    private void thenStreamOften(String events) {
        for (int i = 0; i < RetryPolicy.DEFAULT_TRIES; i++) {
            server.thenStream(events);
        }
    }

    JsonNode lastBody() {
        return server.asked().getLast().body();
    }

    ModelException failure() {
        AtomicReference<ModelException> caught = new AtomicReference<>();
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(() -> ask(question("hello")))
                .satisfies(caught::set);
        ModelException failure = caught.get();
        assertThat(failure.message()).doesNotContain(KEY);
        return failure;
    }

    @Test
    void textArrivesPieceByPieceInOrderAndWhole() throws Exception {
        server.thenStream(wire().text("Grüß", "e, ", "\"Welt\"\n", "!"));
        ModelReply reply = ask(question("hello"));
        assertThat(reply.text()).isEqualTo("Grüße, \"Welt\"\n!");
        assertThat(reply.calls()).isEmpty();
        assertThat(reply.cut()).isFalse();
        assertThat(heard).containsExactly("Grüß", "e, ", "\"Welt\"\n", "!");
    }

    @Test
    void requestCarriesModelPromptHistoryAndToolSchema() throws Exception {
        server.thenStream(wire().text("ok"));
        ChatHistory dialogue =
                new ChatHistory(
                        "Be brief.",
                        List.of(
                                new ChatTurn("assistant", "answer to what is gone", 0),
                                new ChatTurn("user", "first", 1),
                                new ChatTurn("assistant", " ", 2),
                                new ChatTurn("assistant", "second", 3)));
        dialogue.ask("third", List.of());
        ask(dialogue);
        JsonNode body = lastBody();
        streamOfModelIsAskedFor(server.asked().getLast(), wire().model());
        assertThat(body.toString()).contains("Be brief.");
        String sent = body.path("messages").toString();
        assertThat(sent).doesNotContain("answer to what is gone");
        assertThat(sent.indexOf("first")).isLessThan(sent.indexOf("second"));
        assertThat(sent.indexOf("second")).isLessThan(sent.indexOf("third"));
        assertThat(toolSchema(body).at("/properties/seconds/minimum").asInt()).isEqualTo(1);
        assertThat(toolSchema(body).at("/required/0").asString()).isEqualTo("command");
    }

    abstract JsonNode toolSchema(JsonNode body);

    void streamOfModelIsAskedFor(ScriptedProvider.Asked asked, String model) {
        assertThat(asked.body().path("model").asString()).isEqualTo(model);
        assertThat(asked.body().path("stream").asBoolean()).isTrue();
    }

    @Test
    void toolCallAndItsResultAreSentBack() throws Exception {
        server.thenStream(wire().toolCall("Let me look.", "call_1", "sh", "{\"command\":\"ls\"}"));
        server.thenStream(wire().text("Two files."));
        ChatHistory dialogue = question("what is there?");
        ModelReply first = ask(dialogue);
        assertThat(first.text()).isEqualTo("Let me look.");
        assertThat(first.calls())
                .containsExactly(new ModelReply.Call("call_1", "sh", "{\"command\":\"ls\"}"));
        dialogue.add(first);
        dialogue.add(first.calls().getFirst(), ToolResult.success("a.txt b.txt"));
        assertThat(ask(dialogue).text()).isEqualTo("Two files.");
        toolResultIsSent(lastBody().path("messages"));
    }

    abstract void toolResultIsSent(JsonNode messages);

    @Test
    void attachedImageIsPartOfTheRequest() throws Exception {
        server.thenStream(wire().text("A pixel."));
        ChatHistory dialogue = new ChatHistory("Be brief.", List.of());
        dialogue.ask("what is it?", List.of(PIXEL));
        ask(dialogue);
        imageIsSent(lastBody().path("messages"));
    }

    abstract void imageIsSent(JsonNode messages);

    static final ChatHistory.Document PDF =
            new ChatHistory.Document(
                    "a.pdf", 2, "JVBERi0xLjc=", " [You have it.]", " [Read it with view.]");

    @Test
    void attachedPdfIsSentAsTheModelTakesItOrAsAHint() throws Exception {
        server.thenStream(wire().text("Two pages."));
        ChatHistory dialogue = new ChatHistory("Be brief.", List.of());
        dialogue.ask("what is it?", List.of(PIXEL), List.of(PDF));
        ask(dialogue);
        String messages = lastBody().path("messages").toString();
        imageIsSent(lastBody().path("messages"));
        if (takesPdf()) {
            assertThat(messages).contains("what is it? [You have it.]", PDF.base64());
            pdfIsSent(lastBody().path("messages"));
        } else {
            assertThat(messages)
                    .contains("what is it? [Read it with view.]")
                    .doesNotContain(PDF.base64());
        }
    }

    /** Whether the model of the wire format takes PDFs. */
    boolean takesPdf() {
        return wire().provider().pdfLimits(wire().model()).maxPages() > 0;
    }

    abstract void pdfIsSent(JsonNode messages);

    @Test
    void equalHistoriesWithAPdfGiveEqualRequests() throws Exception {
        ChatHistory dialogue = new ChatHistory("Be brief.", List.of());
        dialogue.ask("what is it?", List.of(), List.of(PDF));
        server.thenStream(wire().text("1"));
        ask(dialogue);
        String first = lastBody().toString();
        server.thenStream(wire().text("2"));
        ask(dialogue);
        assertThat(lastBody()).hasToString(first);
    }

    @Test
    void imageOfToolReachesTheModel() throws Exception {
        server.thenStream(wire().text("A pixel."));
        ChatHistory dialogue = question("look at it");
        ModelReply.Call call = new ModelReply.Call("call_1", "view", "{\"path\":\"a.png\"}");
        dialogue.add(new ModelReply("", List.of(call), false));
        ToolResult seen = ToolResult.success("a.png");
        dialogue.add(call, new ToolResult(true, "a.png", seen.detail(), List.of(PIXEL)));
        ask(dialogue);
        toolImageIsSent(lastBody().path("messages"));
    }

    abstract void toolImageIsSent(JsonNode messages);

    /** Providers refuse a message without content. */
    @Test
    void emptyAnswerOfTheHistoryIsLeftOut() throws Exception {
        server.thenStream(wire().text("ok"));
        ChatHistory dialogue =
                new ChatHistory(
                        "Be brief.",
                        List.of(
                                new ChatTurn("user", "first", 1),
                                new ChatTurn("assistant", "", 2)));
        dialogue.ask("Attached: a.png", List.of(PIXEL));
        ask(dialogue);
        String sent = lastBody().path("messages").toString();
        assertThat(sent).contains("first").contains("Attached: a.png");
        assertThat(sent).doesNotContain("\"\"").doesNotContain("[]").doesNotContain("assistant");
    }

    @Test
    void answerCutByTheTokenLimitIsMarked() throws Exception {
        server.thenStream(wire().cut("half a sen"));
        assertThat(ask(question("hello")).cut()).isTrue();
    }

    @Test
    void refusedKeyIsAnAuthFailureThatDoesNotRepeatTheKey() {
        server.thenRefuse(401, "{\"error\":{\"message\":\"bad key " + KEY + "\"}}");
        assertThat(failure().code()).isEqualTo(Code.MODEL_AUTH);
        server.thenRefuse(403, "{}");
        assertThat(failure().code()).isEqualTo(Code.MODEL_AUTH);
    }

    @Test
    void tooManyRequestsIsARateLimit() {
        server.refuseAll(429, "{\"error\":{\"type\":\"rate_limit\",\"message\":\"slow down\"}}");
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_RATE_LIMITED);
        assertThat(failure.message()).contains("slow down");
    }

    @Test
    void otherRefusalNamesStatusAndReasonWithoutTheKey() {
        server.thenRefuse(400, "{\"error\":{\"message\":\"no such model for " + KEY + "\"}}");
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_ERROR);
        assertThat(failure.message()).contains("400", "no such model for [key]");
    }

    @Test
    void serverErrorWithoutJsonIsAModelError() {
        server.refuseAll(502, "<html>bad gateway</html>");
        assertThat(failure().code()).isEqualTo(Code.MODEL_ERROR);
    }

    @Test
    void unreachableEndpointIsAModelError() {
        server.close();
        assertThat(failure().code()).isEqualTo(Code.MODEL_ERROR);
    }

    @Test
    void silenceBeforeTheHeadersIsATimeout() {
        models = models(Duration.ofMillis(200));
        server.thenHang(new CountDownLatch(1));
        assertThat(failure().code()).isEqualTo(Code.MODEL_TIMEOUT);
    }

    @Test
    void silenceInTheMiddleOfTheStreamIsATimeout() {
        models = models(Duration.ofMillis(500));
        server.thenStall(wire().unfinished("I think"));
        assertThat(failure().code()).isEqualTo(Code.MODEL_TIMEOUT);
        assertThat(heard).containsExactly("I think");
    }

    @Test
    void streamThatEndsTooEarlyIsAModelError() {
        thenStreamOften(wire().unfinished("I think"));
        assertThat(failure().code()).isEqualTo(Code.MODEL_ERROR);
    }

    @Test
    void invalidEventIsAModelErrorEvenWhenTheOthersAreValid() {
        thenStreamOften(wire().unfinished("I ") + wire().broken() + wire().text("think"));
        assertThat(failure().code()).isEqualTo(Code.MODEL_ERROR);
    }

    @Test
    void interruptAbortsTheCallBeforeTheHeaders() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        server.thenHang(reached);
        assertThat(thrownWhenInterrupted(reached, _ -> {}))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void interruptAbortsTheStreamAndClosesTheConnection() throws Exception {
        CountDownLatch streaming = new CountDownLatch(1);
        server.thenStreamForEver(wire().unfinished("on and on"));
        assertThat(thrownWhenInterrupted(streaming, _ -> streaming.countDown()))
                .isInstanceOf(InterruptedException.class);
        assertThat(server.awaitAbandoned()).isTrue();
    }

    @Test
    void listenerThatFailsEndsTheCallWithItsOwnException() throws Exception {
        server.thenStreamForEver(wire().unfinished("on and on"));
        Model model = models.find(null).orElseThrow();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () ->
                                model.ask(
                                        question("hello"),
                                        List.of(),
                                        _ -> {
                                            throw new IOException("the reader is gone");
                                        }))
                .withMessage("the reader is gone");
        assertThat(server.awaitAbandoned()).isTrue();
    }

    @Test
    void runWithItsOwnKeyAndNameUsesThem() throws Exception {
        server.thenStream(wire().text("ok"));
        String provider = wire().provider().wireName();
        RunConfig.Model wanted =
                new RunConfig.Model(provider, wire().model() + "-2", null, "sk-of-the-run");
        models.find(wanted).orElseThrow().ask(question("hello"), List.of(), heard::add);
        streamOfModelIsAskedFor(server.asked().getLast(), wire().model() + "-2");
        assertThat(server.asked().getLast().headers().toString()).contains("sk-of-the-run");
    }

    private Throwable thrownWhenInterrupted(CountDownLatch ready, ReplyListener listener)
            throws Exception {
        Model model = models.find(null).orElseThrow();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread asking =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        model.ask(question("hello"), List.of(), listener);
                                        thrown.cancel(false);
                                    } catch (Exception e) {
                                        thrown.complete(e);
                                    }
                                });
        ready.await();
        asking.interrupt();
        return thrown.get();
    }
}
