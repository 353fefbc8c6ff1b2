package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Going back to a snapshot through the API. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class SnapshotRestoreTest {
    private final Dialect dialect;
    private SharedDisk disk;
    private String session;
    private String first;

    SnapshotRestoreTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start(dialect);
        session = disk.create();
        disk.turn(session, "a.txt", "one");
        first = snapshots().getFirst().get("id").stringValue();
        disk.turn(session, "a.txt", "two");
        disk.turn(session, "b.txt", "b");
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void theFilesAreAsTheyWereAndTheUndoBringsThemBack() throws Exception {
        JsonNode restored = restore(Map.of("snapshot", first));

        assertThat(disk.file(session, "a.txt").body()).isEqualTo("one");
        assertThat(disk.file(session, "b.txt").statusCode()).isEqualTo(404);
        assertThat(texts(restored, "changed")).containsExactly("a.txt");
        assertThat(texts(restored, "removed")).containsExactly("b.txt");
        assertThat(restored.get("addedCount").intValue()).isZero();
        JsonNode newest = snapshots().getFirst();
        assertThat(newest.get("id")).isEqualTo(restored.get("restored"));
        assertThat(newest.get("restoredFrom").stringValue()).isEqualTo(first);
        assertThat(newest.get("changed").intValue()).isEqualTo(1);
        assertThat(newest.get("removed").intValue()).isEqualTo(1);

        restore(Map.of("snapshot", restored.get("undo").stringValue()));
        assertThat(disk.file(session, "a.txt").body()).isEqualTo("two");
        assertThat(disk.file(session, "b.txt").body()).isEqualTo("b");
    }

    @Test
    void changesThatNoSnapshotHasAreKept() throws Exception {
        disk.server()
                .post(
                        "/api/sessions/" + session + "/files",
                        Map.of("files", List.of(Map.of("path", "c.txt", "content", "Yw=="))));

        JsonNode restored = restore(Map.of("snapshot", first));
        restore(Map.of("snapshot", restored.get("undo").stringValue()));

        assertThat(disk.file(session, "c.txt").body()).isEqualTo("c");
    }

    @Test
    void aTryChangesNothing() throws Exception {
        disk.write(session, "a.txt", "three");
        List<JsonNode> before = snapshots();

        JsonNode tried = restore(Map.of("snapshot", first, "dryRun", true));

        assertThat(texts(tried, "changed")).containsExactly("a.txt");
        assertThat(texts(tried, "removed")).containsExactly("b.txt");
        assertThat(tried.get("undo").isNull()).isTrue();
        assertThat(snapshots()).isEqualTo(before);
        assertThat(disk.file(session, "a.txt").body()).isEqualTo("three");
    }

    @Test
    void onlyTheWantedPathsAreRestored() throws Exception {
        JsonNode restored = restore(Map.of("snapshot", first, "paths", List.of("a.txt")));

        assertThat(texts(restored, "changed")).containsExactly("a.txt");
        assertThat(disk.file(session, "a.txt").body()).isEqualTo("one");
        assertThat(disk.file(session, "b.txt").body()).isEqualTo("b");
    }

    @Test
    void whatCannotBeRestoredIsRefused() throws Exception {
        String unknown = "00000000-0000-4000-8000-000000000000";
        assertThat(status(Map.of("snapshot", unknown))).isEqualTo(404);
        assertThat(status(Map.of("snapshot", "x"))).isEqualTo(400);
        assertThat(status(Map.of())).isEqualTo(400);
        assertThat(status(Map.of("snapshot", first, "paths", List.of("../x")))).isEqualTo(400);
        assertThat(status(Map.of("snapshot", first, "paths", List.of("/etc/passwd"))))
                .isEqualTo(400);
        assertThat(status(Map.of("snapshot", first, "paths", List.of()))).isEqualTo(400);
        assertThat(status(Map.of("snapshot", first, "paths", List.of("none")))).isEqualTo(404);
        assertThat(disk.file(session, "b.txt").body()).isEqualTo("b");
    }

    @Test
    void duringARunItIsRefused() throws Exception {
        try (TestServer.Events events = disk.send(session, "work")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            assertThat(status(Map.of("snapshot", first))).isEqualTo(409);
            run.answers("done");
            while (events.line().isPresent()) {}
        }
        assertThat(disk.file(session, "a.txt").body()).isEqualTo("two");
    }

    @Test
    void theTextOfAFileIsCompared() throws Exception {
        assertThat(diff(first, "a.txt").get("diff").stringValue())
                .isEqualTo(
                        """
                        @@ -1 +1 @@
                        -one
                        \\ No newline at end of file
                        +two
                        \\ No newline at end of file
                        """);
        assertThat(diff(first, "b.txt").get("status").stringValue()).isEqualTo("added");
        disk.write(session, "a.txt", "live\n");
        JsonNode live = diff(first + "&to=live", "a.txt");
        assertThat(live.get("diff").stringValue()).contains("-one\n").endsWith("+live\n");
        disk.write(session, "a.txt", "\0");
        assertThat(diff(first + "&to=live", "a.txt").get("binary").booleanValue()).isTrue();
        disk.write(session, "a.txt", "x".repeat(1024 * 1024 + 1));
        JsonNode large = diff(first + "&to=live", "a.txt");
        assertThat(large.get("tooLarge").booleanValue()).isTrue();
        assertThat(large.get("status").stringValue()).isEqualTo("changed");
        assertThat(large.get("diff").isNull()).isTrue();
        assertThat(texts(disk.server().getJson(diffUrl(first + "&to=live")), "added"))
                .containsExactly("b.txt");
        assertThat(disk.server().get(diffUrl(first) + "&path=none").statusCode()).isEqualTo(404);
        assertThat(disk.server().get(diffUrl(first) + "&path=../a").statusCode()).isEqualTo(400);
    }

    private JsonNode diff(String from, String path) throws Exception {
        return disk.server().getJson(diffUrl(from) + "&path=" + path);
    }

    private String diffUrl(String from) {
        return "/api/sessions/" + session + "/snapshots/diff?from=" + from;
    }

    @Test
    void snapshotsNameTheAnswerAndWhatChanged() throws Exception {
        List<String> answers =
                disk.server()
                        .getJson("/api/assistant/chats/" + session)
                        .get("messages")
                        .valueStream()
                        .filter(message -> message.get("role").stringValue().equals("assistant"))
                        .map(message -> message.get("id").stringValue())
                        .toList();

        List<JsonNode> snapshots = snapshots().reversed();

        assertThat(snapshots)
                .extracting(snapshot -> snapshot.get("messageId").stringValue())
                .isEqualTo(answers);
        assertThat(snapshots)
                .extracting(snapshot -> snapshot.get("added").intValue())
                .containsExactly(1, 0, 1);
        assertThat(snapshots)
                .extracting(snapshot -> snapshot.get("changed").intValue())
                .containsExactly(0, 1, 0);
    }

    private List<JsonNode> snapshots() throws Exception {
        return disk.server()
                .getJson("/api/sessions/" + session + "/snapshots")
                .get("snapshots")
                .valueStream()
                .toList();
    }

    private JsonNode restore(Map<String, ?> wanted) throws Exception {
        HttpResponse<String> response = post(wanted);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.MAPPER.readTree(response.body());
    }

    private int status(Map<String, ?> wanted) throws Exception {
        return post(wanted).statusCode();
    }

    private HttpResponse<String> post(Map<String, ?> wanted) throws Exception {
        return disk.server().post("/api/sessions/" + session + "/restore", wanted);
    }

    private static List<String> texts(JsonNode body, String name) {
        return body.get(name).valueStream().map(JsonNode::stringValue).toList();
    }
}
