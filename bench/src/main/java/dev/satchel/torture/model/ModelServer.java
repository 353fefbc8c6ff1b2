package dev.satchel.torture.model;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The API of Anthropic at a local address. Its plan decides each reply from the request alone, so a
 * request that is repeated gets the same reply. A message {@code /sh command} gets a call of that
 * command, as from the offline agent. Counts the requests of every task. Thread-safe.
 */
public final class ModelServer implements AutoCloseable {
    /** The name of a task in a message. */
    private static final Pattern TASK = Pattern.compile("task-[0-9a-f-]{36}");

    private static final Pattern COMMAND = Pattern.compile("^/sh (.*)");

    private final HttpServer http;
    private final Plan plan;
    private final Map<String, List<Integer>> asked = new HashMap<>(); // guarded by itself

    /** Decides what the model replies. */
    @FunctionalInterface
    public interface Plan {
        Reply reply(Request request) throws InterruptedException;
    }

    /**
     * A request for a reply.
     *
     * @param task the first name of a task in the message of the person
     * @param round how many replies this turn has so far
     * @param question the message of the person
     */
    public record Request(String task, int round, String question, JsonNode body) {}

    /** What the model says, and what it calls after that. */
    public record Reply(String text, List<Call> calls) {
        public Reply {
            calls = List.copyOf(calls);
        }
    }

    public record Call(String tool, Map<String, String> arguments) {
        public Call {
            arguments = Map.copyOf(arguments);
        }
    }

    public ModelServer(Plan plan) throws IOException {
        this.plan = plan;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/v1/messages", this::messages);
        http.start();
    }

    /** Variables of a server that uses this model. */
    public Map<String, String> variables(Path folder) throws IOException {
        Path file = folder.resolve("models.json");
        Files.writeString(
                file,
                """
                {"models":[{"id":"local","provider":"anthropic","name":"claude-local",
                            "baseUrl":"http://127.0.0.1:%d/v1","apiKeyEnv":"LOCAL_KEY"}]}
                """
                        .formatted(http.getAddress().getPort()));
        return Map.of("SATCHEL_MODELS_FILE", file.toString(), "LOCAL_KEY", "key");
    }

    /** The rounds of a task for which a reply was requested, in the order of the requests. */
    public List<Integer> asked(String task) {
        synchronized (asked) {
            return List.copyOf(asked.getOrDefault(task, List.of()));
        }
    }

    /** How many replies were requested for all tasks. */
    public int requests() {
        synchronized (asked) {
            return asked.values().stream().mapToInt(List::size).sum();
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private void messages(HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = parse(exchange.getRequestBody().readAllBytes());
            synchronized (asked) {
                asked.computeIfAbsent(request.task(), _ -> new ArrayList<>()).add(request.round());
            }
            Reply reply = reply(request);
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                write(reply, new EventWriter(body));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Reply reply(Request request) throws InterruptedException {
        Matcher command = COMMAND.matcher(request.question());
        if (!command.find()) {
            return plan.reply(request);
        }
        return request.round() > 0
                ? new Reply("Done.", List.of())
                : new Reply("", List.of(new Call("sh", Map.of("command", command.group(1)))));
    }

    /** The message of the person is the last one of a user that has no results of calls. */
    private static Request parse(byte[] body) {
        JsonNode request = Json.MAPPER.readTree(body);
        String question = "";
        int round = 0;
        for (JsonNode message : request.get("messages")) {
            boolean isResult = message.toString().contains("\"tool_result\"");
            if (message.get("role").stringValue().equals("assistant")) {
                round++;
            } else if (!isResult) {
                JsonNode content = message.get("content");
                JsonNode last = content.get(content.size() - 1);
                question = withoutSteps(last.path("text").asString(""));
                round = 0;
            }
        }
        Matcher task = TASK.matcher(question);
        return new Request(task.find() ? task.group() : "", round, question, request);
    }

    /** The runner names the steps of earlier turns before the message. */
    private static String withoutSteps(String text) {
        return text.startsWith("[You") ? text.substring(text.indexOf("\n\n") + 2) : text;
    }

    private static void write(Reply reply, EventWriter events) throws IOException {
        events.write(
                "message_start",
                "'message':{'id':'m','type':'message','role':'assistant','content':[],"
                        + "'model':'claude-local','usage':{'input_tokens':9,'output_tokens':1}}");
        int block = 0;
        if (!reply.text().isEmpty()) {
            events.writeBlock(
                    block++,
                    "{'type':'text','text':''}",
                    "{'type':'text_delta','text':%s}".formatted(quoted(reply.text())));
        }
        for (Call call : reply.calls()) {
            String arguments = Json.MAPPER.writeValueAsString(call.arguments());
            events.writeBlock(
                    block,
                    "{'type':'tool_use','id':'t%d','name':'%s','input':{}}"
                            .formatted(block, call.tool()),
                    "{'type':'input_json_delta','partial_json':%s}".formatted(quoted(arguments)));
            block++;
        }
        events.write(
                "message_delta",
                "'delta':{'stop_reason':'%s'},'usage':{'output_tokens':5}"
                        .formatted(reply.calls().isEmpty() ? "end_turn" : "tool_use"));
        events.write("message_stop", "");
    }

    /** As JSON; quotation marks of events are single ones here. */
    private static String quoted(String text) {
        return Json.MAPPER.writeValueAsString(text).replace("'", "\\u0027");
    }

    /** Writes server-sent events. */
    private record EventWriter(OutputStream body) {
        void writeBlock(int index, String start, String delta) throws IOException {
            write("content_block_start", "'index':%d,'content_block':%s".formatted(index, start));
            write("content_block_delta", "'index':%d,'delta':%s".formatted(index, delta));
            write("content_block_stop", "'index':%d".formatted(index));
        }

        void write(String type, String fields) throws IOException {
            String data = "{'type':'%s'%s}".formatted(type, fields.isEmpty() ? "" : "," + fields);
            String event = "event: %s\ndata: %s\n\n".formatted(type, data.replace('\'', '"'));
            body.write(event.getBytes(StandardCharsets.UTF_8));
            body.flush();
        }
    }
}
