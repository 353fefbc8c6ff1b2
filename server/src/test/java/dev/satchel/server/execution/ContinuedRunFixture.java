package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real server with a scripted model, and what a reader has seen of one run over its attempts. */
abstract class ContinuedRunFixture {
    static final String EFFECT = "echo done >> effects.txt";

    @TempDir Path folder;
    final List<Event> seen = new ArrayList<>();
    ScriptedModel model;

    @BeforeEach
    void start() throws IOException {
        model = new ScriptedModel();
    }

    @AfterEach
    void stop() {
        model.close();
    }

    ServerProcess server() throws IOException {
        return server(Map.of());
    }

    ServerProcess server(Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(model.settings(folder));
        settings.put("SATCHEL_DRAIN_SECONDS", "20");
        settings.putAll(more);
        return ServerProcess.start(folder.resolve("data"), settings);
    }

    Events follow(ServerProcess server) throws Exception {
        return server.follow(runId(), seen.getLast().id());
    }

    String runId() {
        return seen.getFirst().data().get("runId").stringValue();
    }

    /** Reads up to an event of a type. */
    void read(Events events, String type) throws IOException {
        while (seen.isEmpty() || !seen.getLast().type().equals(type)) {
            seen.add(events.next().orElseThrow());
        }
        String _ = Json.MAPPER.writeValueAsString(seen.getLast().data());
    }

    void readToEnd(Events events) throws IOException {
        seen.addAll(events.rest());
    }

    /** Reads until the connection is lost. */
    void readToBreak(Events events) {
        try {
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                seen.add(event.get());
            }
        } catch (IOException e) {
            // the server is gone
        }
    }

    long count(String type) {
        return seen.stream().filter(event -> event.type().equals(type)).count();
    }

    JsonNode last(String type) {
        return seen.stream().filter(event -> event.type().equals(type)).toList().getLast().data();
    }

    List<String> steps() {
        return seen.stream()
                .filter(event -> event.type().equals("step"))
                .map(event -> event.data().get("status").stringValue())
                .toList();
    }

    /** Every event once, in the order of the numbers. */
    void requireNumbersInOrder() throws IOException {
        List<Long> numbers =
                seen.stream()
                        .map(
                                event ->
                                        Long.parseLong(
                                                event.id().substring(event.id().indexOf(':') + 1)))
                        .toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(Files.exists(folder.resolve("data"))).isTrue();
    }
}
