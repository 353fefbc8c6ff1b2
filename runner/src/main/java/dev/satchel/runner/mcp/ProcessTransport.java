package dev.satchel.runner.mcp;

import dev.satchel.runner.sandbox.SandboxProcess;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Messages as lines on the standard input and output of a program in a sandbox. */
final class ProcessTransport implements McpClientTransport {
    private static final int KEPT_ERRORS = 1_000;

    private final SandboxProcess process;
    private final McpJsonMapper json;
    private final int maxMessageBytes;
    private final Consumer<String> onEnd;
    private final StringBuilder errors = new StringBuilder(); // guarded by itself

    /** {@code onEnd} hears in plain words why there are no more messages. */
    ProcessTransport(
            SandboxProcess process,
            McpJsonMapper json,
            int maxMessageBytes,
            Consumer<String> onEnd) {
        this.process = process;
        this.json = json;
        this.maxMessageBytes = maxMessageBytes;
        this.onEnd = onEnd;
    }

    /** Platform threads, since reading a pipe pins the carrier of a virtual thread. */
    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(
                () -> {
                    Thread reader =
                            Thread.ofPlatform().daemon().name("mcp-errors").start(this::readErrors);
                    Thread.ofPlatform()
                            .daemon()
                            .name("mcp-output")
                            .start(() -> readMessages(handler, reader));
                });
    }

    /** On another thread, because a program that reads nothing blocks the writer. */
    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.<Void>fromCallable(
                        () -> {
                            write(json.writeValueAsBytes(message));
                            return null;
                        })
                .subscribeOn(Schedulers.boundedElastic());
    }

    private synchronized void write(byte[] message) throws IOException {
        OutputStream input = process.input();
        input.write(message);
        input.write('\n');
        input.flush();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(process::close);
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return json.convertValue(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return List.of(
                ProtocolVersions.MCP_2024_11_05,
                ProtocolVersions.MCP_2025_03_26,
                ProtocolVersions.MCP_2025_06_18,
                ProtocolVersions.MCP_2025_11_25);
    }

    private void readMessages(
            Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler, Thread errorReader) {
        String reason = "the program has ended";
        try (InputStream output = new BufferedInputStream(process.output())) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = output.read(); next >= 0; next = output.read()) {
                if (next != '\n') {
                    line.write(next);
                } else {
                    JSONRPCMessage message = parse(line.toString(StandardCharsets.UTF_8));
                    if (message != null) {
                        handler.apply(Mono.just(message)).subscribe(_ -> {}, _ -> {});
                    }
                    line.reset();
                }
                if (line.size() > maxMessageBytes) {
                    reason = "it sent a message of more than " + maxMessageBytes + " bytes";
                    break;
                }
            }
            if (line.size() <= maxMessageBytes) {
                errorReader.join(1_000); // what it said last explains its end
            }
        } catch (IOException | InterruptedException _) {
            // the program was killed
        }
        onEnd.accept(reason + said());
        process.close();
    }

    /** Some programs print other lines; they are no messages. */
    private @Nullable JSONRPCMessage parse(String line) {
        try {
            return line.isBlank() ? null : McpSchema.deserializeJsonRpcMessage(json, line);
        } catch (IOException | RuntimeException _) {
            return null;
        }
    }

    private void readErrors() {
        byte[] chunk = new byte[4_096];
        try (InputStream from = process.errors()) {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                synchronized (errors) {
                    errors.append(new String(chunk, 0, count, StandardCharsets.UTF_8));
                    errors.delete(0, Math.max(0, errors.length() - KEPT_ERRORS));
                }
            }
        } catch (IOException _) {
            // the program has ended
        }
    }

    private String said() {
        synchronized (errors) {
            String last = errors.toString().strip();
            return last.isEmpty() ? "" : "; its last words were: " + last;
        }
    }
}
