package dev.satchel.server.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** The API of Anthropic for tests, which decide what each call streams and when. */
public final class ScriptedModel implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 60;

    private final BlockingQueue<Call> arrived = new LinkedBlockingQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final HttpServer http;

    public ScriptedModel() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/v1/messages", this::messages);
        http.start();
    }

    /** Variables of a server that uses this model. */
    public Map<String, String> settings(Path folder) throws IOException {
        Path file = folder.resolve("models.json");
        Files.writeString(
                file,
                """
                {"models":[{"id":"scripted","provider":"anthropic","name":"claude-scripted",
                            "baseUrl":"http://127.0.0.1:%d/v1","apiKeyEnv":"SCRIPTED_KEY"}]}
                """
                        .formatted(http.getAddress().getPort()));
        return Map.of("SATCHEL_MODELS_FILE", file.toString(), "SCRIPTED_KEY", "key");
    }

    /** The next request for a reply. */
    public Call next() throws InterruptedException {
        Call call = arrived.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("the model was not asked");
        }
        return call;
    }

    /** How often a reply was requested. */
    public int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private void messages(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        Call call =
                new Call(Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes()), exchange);
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        arrived.add(call);
        try {
            call.ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One call of the model; the test writes its reply. */
    public static final class Call {
        private final JsonNode request;
        private final OutputStream body;
        private final CountDownLatch ended = new CountDownLatch(1);
        private int blocks;
        private boolean started;

        Call(JsonNode request, HttpExchange exchange) {
            this.request = request;
            this.body = exchange.getResponseBody();
        }

        public JsonNode request() {
            return request;
        }

        /** Streams text and keeps the reply open. */
        public Call says(String text) throws IOException {
            start();
            event(
                    "{'type':'content_block_start','index':%d,'content_block':{'type':'text','text':''}}",
                    blocks);
            event(
                    "{'type':'content_block_delta','index':%d,'delta':{'type':'text_delta','text':%s}}",
                    blocks, Json.MAPPER.writeValueAsString(text));
            event("{'type':'content_block_stop','index':%d}", blocks);
            blocks++;
            return this;
        }

        public Call calls(String tool, Map<String, ?> arguments) throws IOException {
            start();
            event(
                    "{'type':'content_block_start','index':%d,'content_block':{'type':'tool_use','id':'t%d','name':'%s','input':{}}}",
                    blocks, blocks, tool);
            String json = Json.MAPPER.writeValueAsString(arguments);
            event(
                    "{'type':'content_block_delta','index':%d,'delta':{'type':'input_json_delta','partial_json':%s}}",
                    blocks, Json.MAPPER.writeValueAsString(json));
            event("{'type':'content_block_stop','index':%d}", blocks);
            blocks++;
            return this;
        }

        /** Ends the reply. */
        public void ends() throws IOException {
            start();
            event(
                    "{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':5}}");
            event("{'type':'message_stop'}");
            body.close();
            ended.countDown();
        }

        private void start() throws IOException {
            if (!started) {
                started = true;
                event(
                        "{'type':'message_start','message':{'id':'m','type':'message','role':'assistant','content':[],'model':'claude-scripted','usage':{'input_tokens':9,'output_tokens':1}}}");
            }
        }

        private void event(String format, Object... values) throws IOException {
            String data = format.replace('\'', '"').formatted(values);
            String type = Json.MAPPER.readTree(data).get("type").stringValue();
            String event = "event: " + type + "\ndata: " + data + "\n\n";
            body.write(event.getBytes(StandardCharsets.UTF_8));
            body.flush();
        }
    }
}
