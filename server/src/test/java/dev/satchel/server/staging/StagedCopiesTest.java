package dev.satchel.server.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Assets that an agent finds and copies into its workspace, with the server's own runner. */
class StagedCopiesTest {
    private static final Duration MAX_AGE = Configuration.Ages.standard().stagedFile();

    @TempDir Path data;
    private final MovableClock clock = new MovableClock();
    private TestServer server;
    private String chat = "";

    /** Null is SQLite. */
    @Nullable URI database() throws Exception {
        return null;
    }

    @BeforeEach
    void start() throws Exception {
        Configuration usual = TestServer.configuration(data, database(), null);
        Configuration keeping = TestConfiguration.withIdleWorkspace(usual, Duration.ZERO);
        server =
                TestServer.start(
                        TestConfiguration.withSandbox(keeping, TestConfiguration.embedded()),
                        clock,
                        Clock.systemUTC());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theAgentFindsAssetsByNamePageByPage() throws Exception {
        for (int i = 0; i < 60; i++) {
            asset("report-" + i + ".csv", "x");
        }
        String other = asset("Übersicht.txt", "x");

        JsonNode found = result(turn("/assets übersicht"), 0);
        assertThat(found.get("assets")).hasSize(1);
        assertThat(found.at("/assets/0/id").stringValue()).isEqualTo(other);
        assertThat(found.at("/assets/0/name").stringValue()).isEqualTo("Übersicht.txt");
        assertThat(found.has("nextCursor")).isFalse();

        JsonNode first = result(turn("/assets report"), 0);
        assertThat(first.get("assets")).hasSize(50);
        assertThat(first.get("nextCursor").stringValue()).isNotEmpty();
    }

    @Test
    void aCopyGoesWhenItIsAsOldAsThoseOfMcp() throws Exception {
        String id = asset("data.csv", "a,b\n");
        turn("/stage " + id);
        String path = "staged/" + id + "-data.csv";
        assertThat(files()).contains(path);

        clock.advance(MAX_AGE);
        server.sweep();
        assertThat(files()).contains(path);

        clock.advance(Duration.ofMillis(1));
        server.sweep();
        assertThat(files()).doesNotContain(path);
    }

    @Test
    void aCopyThatWasStagedAgainHasItsTimeAnew() throws Exception {
        String id = asset("data.csv", "a,b\n");
        turn("/stage " + id);
        clock.advance(MAX_AGE);
        turn("/stage " + id);

        clock.advance(MAX_AGE);
        server.sweep();
        assertThat(files()).contains("staged/" + id + "-data.csv");
    }

    @Test
    void whatTheAgentMadeStays() throws Exception {
        String id = asset("data.csv", "a,b\n");
        String removed = asset("gone.csv", "a,b\n");
        turn(
                "/stage %1$s\n/stage %2$s\n/sh echo more >> staged/%1$s-data.csv; rm staged/*-gone.csv; echo own > staged/own.txt"
                        .formatted(id, removed));

        clock.advance(MAX_AGE.plusMillis(1));
        server.sweep();

        assertThat(files())
                .containsExactlyInAnyOrder("staged/own.txt", "staged/" + id + "-data.csv");
    }

    @Test
    void aCopyIsNotTakenFromARunInProgress() throws Exception {
        String id = asset("data.csv", "a,b\n");
        turn("/stage " + id);
        clock.advance(MAX_AGE.plusMillis(1));
        try (Events events =
                server.turn(Map.of("message", "/sleep 600\n/sh true", "chatId", chat))) {
            Optional<Event> event = events.next();
            while (event.isPresent() && !event.get().type().equals("step")) {
                event = events.next();
            }
            server.sweep();
            assertThat(files()).contains("staged/" + id + "-data.csv");
            server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());
            assertThat(events.rest().getLast().type()).isEqualTo("end");
        }

        server.sweep();
        assertThat(files()).isEmpty();
    }

    @Test
    void aCopyThatOnlyASnapshotHasGoesWhenTheWorkspaceIsBack() throws Exception {
        String id = asset("data.csv", "a,b\n");
        turn("/stage " + id);
        session("/stop");
        clock.advance(MAX_AGE.plusMillis(1));
        server.sweep();
        session("/resume");

        server.sweep();

        assertThat(files()).isEmpty();
    }

    @Test
    void theCopyOfAForkGoesToo() throws Exception {
        String id = asset("data.csv", "a,b\n");
        turn("/stage " + id);
        chat = session("/fork").at("/session/id").stringValue();
        assertThat(files()).contains("staged/" + id + "-data.csv");
        session("/resume");

        clock.advance(MAX_AGE.plusMillis(1));
        server.sweep();

        assertThat(files()).isEmpty();
    }

    @Test
    void anAssetWithALongNameFitsTheDisk() throws Exception {
        String id = asset("n".repeat(250) + ".csv", "a,b\n");

        String path = result(turn("/stage " + id), 0).get("path").stringValue();

        assertThat(path).startsWith("staged/" + id).endsWith(".csv");
        clock.advance(MAX_AGE.plusMillis(1));
        server.sweep();
        assertThat(files()).isEmpty();
    }

    private String asset(String name, String content) throws Exception {
        HttpResponse<String> response =
                server.send(
                        server.request("/api/assets")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file(name, content).publisher())
                                .build());
        return Json.MAPPER.readTree(response.body()).at("/assets/0/id").stringValue();
    }

    private List<Event> turn(String message) throws Exception {
        try (Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            List<Event> all = events.rest();
            assertThat(all.get(all.size() - 2).type()).as(all.toString()).isEqualTo("result");
            return all;
        }
    }

    /** The result of a step of a turn. */
    private static JsonNode result(List<Event> events, int step) {
        List<JsonNode> ended =
                events.stream()
                        .map(Event::data)
                        .filter(line -> line.get("type").stringValue().equals("step"))
                        .filter(line -> !line.get("status").stringValue().equals("running"))
                        .toList();
        return ended.get(step).get("result");
    }

    private List<String> files() throws Exception {
        return server.getJson("/api/sessions/" + chat + "/files")
                .get("files")
                .valueStream()
                .map(file -> file.get("path").stringValue())
                .toList();
    }

    private JsonNode session(String action) throws Exception {
        HttpResponse<String> response = server.post("/api/sessions/" + chat + action, Map.of());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return Json.MAPPER.readTree(response.body());
    }
}
