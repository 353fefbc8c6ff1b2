package dev.satchel.server.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Which files of a large bag a run is told of when they are in its workspace. */
@Timeout(60)
class ListedFilesTest {
    private static final int LISTED = 100;

    @Test
    void theOldestFilesAndTheAttachedOnesAreListed() throws Exception {
        try (SharedDisk disk = SharedDisk.start();
                SandboxCalls calls = new SandboxCalls()) {
            String session = disk.create();
            List<String> expected = new ArrayList<>();
            for (int number = 0; number < LISTED; number++) {
                disk.server().upload(session, number + ".txt", "x");
                expected.add(number + ".txt");
            }
            JsonNode whole = assets(disk, calls, Map.of("message", "go", "chatId", session));
            assertThat(names(whole)).isEqualTo(expected);
            assertThat(whole.has("more")).isFalse();

            disk.server().upload(session, "unlisted.txt", "x");
            JsonNode attached = disk.server().upload(session, "attached.txt", "x");
            JsonNode cut =
                    assets(
                            disk,
                            calls,
                            Map.of(
                                    "message",
                                    "go",
                                    "chatId",
                                    session,
                                    "attachmentIds",
                                    List.of(attached.get("id").stringValue())));
            expected.add("attached.txt");
            assertThat(names(cut)).isEqualTo(expected);
            assertThat(cut.get("more").booleanValue()).isTrue();
            assertThat(cut.get("files").get(LISTED).get("attached").booleanValue()).isTrue();
            assertThat(disk.workspace(session).resolve("unlisted.txt")).hasContent("x");
        }
    }

    private static JsonNode assets(SharedDisk disk, SandboxCalls calls, Map<String, ?> turn)
            throws Exception {
        try (TestServer.Events events = disk.server().turn(turn)) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            String config =
                    calls.get(run.dispatch(), "/config", requireNonNull(run.dispatch().otpRun()))
                            .body();
            run.answers("done");
            events.rest();
            return Json.MAPPER.readTree(config).get("assets");
        }
    }

    private static List<String> names(JsonNode assets) {
        List<String> names = new ArrayList<>();
        assets.get("files").forEach(file -> names.add(file.get("name").stringValue()));
        return names;
    }
}
