package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Streams in the published format of a provider. */
public interface ModelWireFormat {
    ModelProvider provider();

    /** The base URL for this server. */
    String baseUrl(ScriptedProvider server);

    /** A whole answer of text. */
    String text(String... pieces);

    /** An answer with text and one tool call, whose arguments come in two pieces. */
    String toolCall(String said, String id, String tool, String arguments);

    /** The beginning of an answer: some text, and no end. */
    String unfinished(String text);

    /** An event that is not JSON. */
    String broken();

    /** An answer cut by the token limit. */
    String cut(String text);

    /** An answer after some thinking. */
    String thinking(String thought, String text);

    /** Two calls of the same tool in one answer. */
    String twoCalls(String firstId, String secondId, String tool, String arguments);

    /** An answer that is refused with these words. */
    String refusal(String words);

    /** The error of a request that is too long, and its status. */
    Refusal overflow();

    /** The name of the model for tests. */
    default String model() {
        return "test-model";
    }

    /** The content type of a stream. */
    default String contentType() {
        return "text/event-stream";
    }

    /** The bytes of events. */
    default byte[] encode(String events) {
        return events.getBytes(StandardCharsets.UTF_8);
    }

    /** An error as a response. */
    record Refusal(int status, String body) {}

    static String quote(String text) {
        return Json.MAPPER.writeValueAsString(text);
    }

    /** Anthropic's Messages API. */
    class Anthropic implements ModelWireFormat {
        private static final String START =
                event(
                        "message_start",
                        """
                        {"type":"message_start","message":{"id":"msg_1","type":"message",\
                        "role":"assistant","content":[],"model":"claude-test","stop_reason":null,\
                        "stop_sequence":null,"usage":{"input_tokens":25,\
                        "cache_creation_input_tokens":3,"cache_read_input_tokens":7,\
                        "output_tokens":1}}}""");

        @Override
        public ModelProvider provider() {
            return ModelProvider.ANTHROPIC;
        }

        @Override
        public String baseUrl(ScriptedProvider server) {
            return server.url();
        }

        @Override
        public String text(String... pieces) {
            return START + block(0, pieces) + end("end_turn");
        }

        @Override
        public String toolCall(String said, String id, String tool, String arguments) {
            int half = arguments.length() / 2;
            return START
                    + (said.isEmpty() ? "" : block(0, said))
                    + event(
                            "content_block_start",
                            """
                            {"type":"content_block_start","index":1,"content_block":\
                            {"type":"tool_use","id":"%s","name":"%s","input":{}}}"""
                                    .formatted(id, tool))
                    + inputDelta("")
                    + inputDelta(arguments.substring(0, half))
                    + inputDelta(arguments.substring(half))
                    + event("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":1}")
                    + end("tool_use");
        }

        @Override
        public String unfinished(String text) {
            return START + blockStart(0) + textDelta(0, text);
        }

        @Override
        public String broken() {
            return event("content_block_delta", "{\"type\":\"content_block_delta\",\"ind");
        }

        @Override
        public String cut(String text) {
            return START + block(0, text) + end("max_tokens");
        }

        @Override
        public String thinking(String thought, String text) {
            return START
                    + startOf(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
                    + delta(0, "{\"type\":\"thinking_delta\",\"thinking\":" + quote(thought) + "}")
                    + delta(0, "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}")
                    + stopOf(0)
                    + startOf(1, "{\"type\":\"redacted_thinking\",\"data\":\"aGlkZGVu\"}")
                    + stopOf(1)
                    + block(2, text)
                    + end("end_turn");
        }

        @Override
        public String twoCalls(String firstId, String secondId, String tool, String arguments) {
            return START
                    + call(0, firstId, tool, arguments)
                    + call(1, secondId, tool, arguments)
                    + end("tool_use");
        }

        @Override
        public String refusal(String words) {
            return START + block(0, words) + end("refusal");
        }

        @Override
        public Refusal overflow() {
            return new Refusal(
                    400,
                    """
                    {"type":"error","error":{"type":"invalid_request_error",\
                    "message":"prompt is too long: 208310 tokens > 200000 maximum"}}""");
        }

        private static String call(int index, String id, String tool, String arguments) {
            String block =
                    "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}"
                            .formatted(id, tool);
            String input =
                    "{\"type\":\"input_json_delta\",\"partial_json\":" + quote(arguments) + "}";
            return startOf(index, block) + delta(index, input) + stopOf(index);
        }

        static String startOf(int index, String block) {
            return event(
                    "content_block_start",
                    "{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%s}"
                            .formatted(index, block));
        }

        static String delta(int index, String delta) {
            return event(
                    "content_block_delta",
                    "{\"type\":\"content_block_delta\",\"index\":%d,\"delta\":%s}"
                            .formatted(index, delta));
        }

        static String stopOf(int index) {
            return event(
                    "content_block_stop",
                    "{\"type\":\"content_block_stop\",\"index\":" + index + "}");
        }

        private static String block(int index, String... pieces) {
            StringBuilder events = new StringBuilder(blockStart(index));
            events.append(event("ping", "{\"type\":\"ping\"}"));
            List.of(pieces).forEach(piece -> events.append(textDelta(index, piece)));
            events.append(
                    event(
                            "content_block_stop",
                            "{\"type\":\"content_block_stop\",\"index\":" + index + "}"));
            return events.toString();
        }

        private static String blockStart(int index) {
            return event(
                    "content_block_start",
                    """
                    {"type":"content_block_start","index":%d,\
                    "content_block":{"type":"text","text":""}}"""
                            .formatted(index));
        }

        private static String textDelta(int index, String text) {
            return event(
                    "content_block_delta",
                    """
                    {"type":"content_block_delta","index":%d,\
                    "delta":{"type":"text_delta","text":%s}}"""
                            .formatted(index, quote(text)));
        }

        private static String inputDelta(String json) {
            return event(
                    "content_block_delta",
                    """
                    {"type":"content_block_delta","index":1,\
                    "delta":{"type":"input_json_delta","partial_json":%s}}"""
                            .formatted(quote(json)));
        }

        private static String end(String reason) {
            return event(
                            "message_delta",
                            """
                            {"type":"message_delta","delta":{"stop_reason":"%s",\
                            "stop_sequence":null},"usage":{"output_tokens":15}}"""
                                    .formatted(reason))
                    + event("message_stop", "{\"type\":\"message_stop\"}");
        }

        private static String event(String name, String data) {
            return "event: " + name + "\ndata: " + data + "\n\n";
        }
    }

    /** OpenAI's chat completions. */
    class OpenAi implements ModelWireFormat {
        @Override
        public ModelProvider provider() {
            return ModelProvider.OPENAI;
        }

        @Override
        public String baseUrl(ScriptedProvider server) {
            return server.url() + "/v1";
        }

        @Override
        public String text(String... pieces) {
            StringBuilder events = new StringBuilder(start());
            List.of(pieces).forEach(piece -> events.append(content(piece)));
            return events + end("stop");
        }

        @Override
        public String toolCall(String said, String id, String tool, String arguments) {
            int half = arguments.length() / 2;
            return start()
                    + (said.isEmpty() ? "" : content(said))
                    + chunk(
                            """
                            {"tool_calls":[{"index":0,"id":"%s","type":"function",\
                            "function":{"name":"%s","arguments":""}}]}"""
                                    .formatted(id, tool),
                            "null")
                    + argumentPiece(arguments.substring(0, half))
                    + argumentPiece(arguments.substring(half))
                    + end("tool_calls");
        }

        @Override
        public String unfinished(String text) {
            return start() + content(text);
        }

        @Override
        public String broken() {
            return "data: {\"id\":\"chatcmpl-1\",\"obj\n\n";
        }

        @Override
        public String cut(String text) {
            return start() + content(text) + end("length");
        }

        @Override
        public String thinking(String thought, String text) {
            return start()
                    + chunk("{\"reasoning_content\":" + quote(thought) + "}", "null")
                    + content(text)
                    + end("stop");
        }

        @Override
        public String twoCalls(String firstId, String secondId, String tool, String arguments) {
            return start()
                    + call(0, firstId, tool, arguments)
                    + call(1, secondId, tool, arguments)
                    + end("tool_calls");
        }

        @Override
        public String refusal(String words) {
            return start() + chunk("{\"refusal\":" + quote(words) + "}", "null") + end("stop");
        }

        @Override
        public Refusal overflow() {
            return new Refusal(
                    400,
                    """
                    {"error":{"message":"This model's maximum context length is 128000 tokens. \
                    However, your messages resulted in 130000 tokens.",\
                    "type":"invalid_request_error","code":"context_length_exceeded"}}""");
        }

        static String call(int index, String id, String tool, String arguments) {
            return chunk(
                    """
                    {"tool_calls":[{"index":%d,"id":"%s","type":"function",\
                    "function":{"name":"%s","arguments":%s}}]}"""
                            .formatted(index, id, tool, quote(arguments)),
                    "null");
        }

        static String start() {
            return chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null");
        }

        static String content(String text) {
            return chunk(Json.MAPPER.writeValueAsString(Map.of("content", text)), "null");
        }

        static String argumentPiece(String json) {
            return chunk(
                    """
                    {"tool_calls":[{"index":0,"function":{"arguments":%s}}]}"""
                            .formatted(quote(json)),
                    "null");
        }

        static String end(String reason) {
            return chunk("{}", "\"" + reason + "\"")
                    + """
                    data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,\
                    "model":"gpt-test","choices":[],"usage":{"prompt_tokens":13,\
                    "completion_tokens":12,"total_tokens":25,\
                    "prompt_tokens_details":{"cached_tokens":4}}}

                    data: [DONE]

                    """;
        }

        static String chunk(String delta, String reason) {
            return """
            data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,\
            "model":"gpt-test","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}

            """
                    .formatted(delta, reason);
        }
    }
}
