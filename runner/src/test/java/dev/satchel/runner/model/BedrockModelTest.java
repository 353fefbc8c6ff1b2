package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Models of Anthropic at Bedrock: Anthropic's events in the framing of AWS. */
class BedrockModelTest extends AnthropicFormatContract {
    /** Each event becomes a message with its data as base64. */
    private static final class Bedrock extends ModelWireFormat.Anthropic {
        @Override
        public ModelProvider provider() {
            return ModelProvider.BEDROCK;
        }

        @Override
        public String model() {
            return "us.anthropic.claude-test-v1:0";
        }

        @Override
        public String contentType() {
            return "application/vnd.amazon.eventstream";
        }

        @Override
        public Refusal overflow() {
            return new Refusal(400, "{\"message\":\"Input is too long for requested model.\"}");
        }

        @Override
        public byte[] encode(String events) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            events.lines()
                    .filter(line -> line.startsWith("data: "))
                    .map(line -> line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8))
                    .map(data -> Base64.getEncoder().encodeToString(data))
                    .map(data -> message("event", "chunk", "{\"bytes\":\"" + data + "\"}"))
                    .forEach(bytes::writeBytes);
            return bytes.toByteArray();
        }
    }

    private static byte[] message(String messageType, String type, String payload) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(":" + messageType + "-type", type);
        headers.put(":content-type", "application/json");
        headers.put(":message-type", messageType);
        try {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(head);
            for (Map.Entry<String, String> header : headers.entrySet()) {
                out.writeByte(header.getKey().length());
                out.writeBytes(header.getKey());
                out.writeByte(7);
                out.writeShort(header.getValue().length());
                out.writeBytes(header.getValue());
            }
            byte[] body = payload.getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            DataOutputStream message = new DataOutputStream(whole);
            message.writeInt(12 + head.size() + body.length + 4);
            message.writeInt(head.size());
            message.writeInt(checksum(whole.toByteArray()));
            message.write(head.toByteArray());
            message.write(body);
            message.writeInt(checksum(whole.toByteArray()));
            return whole.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    @Override
    ModelWireFormat wire() {
        return new Bedrock();
    }

    @Override
    void streamOfModelIsAskedFor(ScriptedProvider.Asked asked, String model) {
        assertThat(asked.path()).isEqualTo("/model/" + model + "/invoke-with-response-stream");
        assertThat(asked.headers().getFirst("Authorization")).startsWith("Bearer ");
        assertThat(asked.body().path("anthropic_version").asString())
                .isEqualTo("bedrock-2023-05-31");
        assertThat(asked.body().has("model")).isFalse();
        assertThat(asked.body().has("stream")).isFalse();
    }

    @Test
    void throttlingInTheStreamIsRepeated() throws Exception {
        byte[] start = wire().encode(wire().unfinished("I thi"));
        byte[] thrown = message("exception", "throttlingException", "{\"message\":\"Too many\"}");
        server.then(
                exchange -> {
                    ByteArrayOutputStream both = new ByteArrayOutputStream();
                    both.writeBytes(start);
                    both.writeBytes(thrown);
                    ScriptedProvider.send(exchange, 200, wire().contentType(), both.toByteArray());
                });
        server.thenStream(wire().text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.retries)
                .singleElement()
                .asString()
                .contains("model_rate_limited", "Too many");
    }

    @Test
    void damagedMessageIsRepeated() throws Exception {
        byte[] damaged = wire().encode(wire().text("wrong"));
        damaged[40] ^= 1;
        server.then(
                exchange -> ScriptedProvider.send(exchange, 200, wire().contentType(), damaged));
        server.thenStream(wire().text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
        assertThat(listener.retries).hasSize(1);
    }
}
