package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The changes of a session's status, and their effects on its files. */
class SessionLifeTest {
    private SharedDisk disk;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void aNewSessionIsActiveAndHasTheFieldsThatClientsExpect() throws Exception {
        JsonNode session = disk.create(Map.of("model", "some-model"));

        assertThat(session.propertyNames())
                .containsExactly(
                        "id",
                        "tenantId",
                        "agentName",
                        "sandboxId",
                        "status",
                        "model",
                        "runnerId",
                        "parentSessionId",
                        "config",
                        "createdAt",
                        "lastActiveAt");
        assertThat(session.get("status").stringValue()).isEqualTo("active");
        assertThat(session.get("agentName").stringValue()).isEqualTo("qa-bot");
        assertThat(session.get("createdAt").stringValue())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(read(session.get("id").stringValue())).isEqualTo(session);
    }

    @Test
    void anUnknownAgentIsNotFoundAndAMissingOneRefused() throws Exception {
        assertThat(disk.server().post("/api/sessions", Map.of("agent", "nobody")).body())
                .isEqualTo("{\"error\":\"Agent \\\"nobody\\\" not found\",\"statusCode\":404}");
        HttpResponse<String> missing = disk.server().post("/api/sessions", Map.of());
        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).contains("agent");
    }

    @Test
    void sessionsAreListedByAgentAndStatus() throws Exception {
        String active = disk.create();
        String paused = disk.create();
        disk.post(paused, "pause");

        assertThat(ids("")).containsExactlyInAnyOrder(active, paused);
        assertThat(ids("?status=paused")).containsExactly(paused);
        assertThat(ids("?agent=qa-bot")).hasSize(2);
        assertThat(ids("?agent=other")).isEmpty();
        assertThat(ids("?status=error")).isEmpty();
        assertThat(ids("?limit=1&offset=1")).hasSize(1).isNotEqualTo(ids("?limit=1"));
        assertThat(
                        disk.server()
                                .getJson("/api/sessions?includeTotal=true&limit=1")
                                .get("total")
                                .intValue())
                .isEqualTo(2);
        assertThat(disk.server().get("/api/sessions?status=asleep").statusCode()).isEqualTo(400);
    }

    @Test
    void unsupportedFieldsOfASessionAreRefused() throws Exception {
        Map<String, Object> wanted = Map.of("agent", "qa-bot", "credentialId", "one");

        HttpResponse<String> refused = disk.server().post("/api/sessions", wanted);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("credentialId");
    }

    @Test
    void onlyAnActiveSessionPausesAndAPausedOneRefusesMessages() throws Exception {
        String session = disk.create();

        assertThat(status(disk.post(session, "pause"))).isEqualTo("paused");
        assertThat(disk.post(session, "pause").body())
                .isEqualTo(
                        "{\"error\":\"Cannot pause session with status"
                                + " \\\"paused\\\"\",\"statusCode\":400}");
        assertThat(
                        disk.server()
                                .post(
                                        "/api/sessions/" + session + "/messages",
                                        Map.of("content", "hello"))
                                .body())
                .isEqualTo("{\"error\":\"Session is paused\",\"statusCode\":400}");
        assertThat(status(disk.post(session, "resume"))).isEqualTo("active");
        assertThat(status(disk.post(session, "resume"))).isEqualTo("active");
    }

    @Test
    void anEndedSessionStaysReadableAndCannotBeResumed() throws Exception {
        String session = disk.create();
        disk.turn(session, "a.txt", "kept");

        assertThat(status(disk.end(session))).isEqualTo("ended");
        assertThat(status(disk.end(session))).isEqualTo("ended");
        assertThat(disk.post(session, "resume").body())
                .isEqualTo(
                        "{\"error\":\"Session has ended \u2014 create a new"
                                + " session\",\"statusCode\":410}");
        HttpResponse<String> file = disk.file(session, "a.txt");
        assertThat(file.body()).isEqualTo("kept");
        assertThat(file.headers().firstValue("X-Ash-Source")).hasValue("snapshot");
        assertThat(disk.workspace(session)).doesNotExist();
    }

    @Test
    void aResumedSessionHasTheFilesOfTheStoppedOne() throws Exception {
        String session = disk.create();
        disk.turn(session, "deep/a.txt", "kept");
        disk.turn(session, "yarn.lock", "locked");

        assertThat(status(disk.post(session, "stop"))).isEqualTo("stopped");
        assertThat(disk.workspace(session)).doesNotExist();
        assertThat(status(disk.post(session, "resume"))).isEqualTo("active");

        assertThat(disk.file(session, "deep/a.txt").body()).isEqualTo("kept");
        assertThat(disk.file(session, "yarn.lock").body()).isEqualTo("locked");
        assertThat(disk.file(session, "deep/a.txt").headers().firstValue("X-Ash-Source"))
                .hasValue("sandbox");
    }

    @Test
    void aPausedSessionIsReadFromItsSnapshotUntilItIsResumed() throws Exception {
        String session = disk.create();
        disk.write(session, "a.txt", "live");
        disk.post(session, "pause");

        assertThat(disk.workspace(session).resolve("a.txt")).exists();
        assertThat(source(session)).isEqualTo("snapshot");
        assertThat(disk.file(session, "a.txt").headers().firstValue("X-Ash-Source"))
                .hasValue("snapshot");
        assertThat(disk.file(session, "a.txt").body()).isEqualTo("live");
        assertThat(
                        disk.server()
                                .getJson("/api/sessions/" + session + "/snapshots")
                                .get("snapshots")
                                .size())
                .isEqualTo(1);

        disk.post(session, "resume");
        assertThat(source(session)).isEqualTo("sandbox");
    }

    @Test
    void aFileWrittenIntoAPausedSessionIsReadFromANewSnapshot() throws Exception {
        String session = disk.create();
        disk.write(session, "a.txt", "before");
        disk.post(session, "pause");
        Map<String, Object> change =
                Map.of("files", List.of(Map.of("path", "b.txt", "content", "bmV3")));
        assertThat(disk.server().post("/api/sessions/" + session + "/files", change).statusCode())
                .isEqualTo(200);

        assertThat(disk.file(session, "b.txt").body()).isEqualTo("new");
        assertThat(source(session)).isEqualTo("snapshot");
    }

    @Test
    void aForkIsReadFromASnapshotUntilItIsResumed() throws Exception {
        String parent = disk.create();
        disk.turn(parent, "a.txt", "shared");
        String fork =
                Json.MAPPER
                        .readTree(disk.post(parent, "fork").body())
                        .at("/session/id")
                        .stringValue();

        assertThat(source(fork)).isEqualTo("snapshot");
        assertThat(source(parent)).isEqualTo("sandbox");
    }

    @Test
    void aForkHasTheSameMessagesAndFilesAndIsIndependent() throws Exception {
        String parent = disk.create();
        disk.turn(parent, "a.txt", "shared");

        HttpResponse<String> forked = disk.post(parent, "fork");
        assertThat(forked.statusCode()).isEqualTo(201);
        JsonNode child = Json.MAPPER.readTree(forked.body()).get("session");
        String id = child.get("id").stringValue();
        assertThat(child.get("status").stringValue()).isEqualTo("paused");
        assertThat(child.get("parentSessionId").stringValue()).isEqualTo(parent);
        assertThat(messages(id)).hasSameSizeAs(messages(parent)).hasSize(2);
        assertThat(disk.file(id, "a.txt").body()).isEqualTo("shared");

        disk.post(id, "resume");
        disk.turn(id, "a.txt", "own way");
        assertThat(disk.file(parent, "a.txt").body()).isEqualTo("shared");
        assertThat(disk.file(id, "a.txt").body()).isEqualTo("own way");
    }

    @Test
    void aForkHasItsOwnCopyOfEveryAttachment() throws Exception {
        String parent = disk.create();
        String path = "/api/sessions/" + parent + "/attachments";
        disk.server().post(path, Map.of("filename", "notes.txt", "content", "aGVsbG8="));
        JsonNode original = disk.server().getJson(path).get("attachments").get(0);

        String child =
                Json.MAPPER
                        .readTree(disk.post(parent, "fork").body())
                        .get("session")
                        .get("id")
                        .stringValue();
        JsonNode copy =
                disk.server()
                        .getJson("/api/sessions/" + child + "/attachments")
                        .get("attachments")
                        .get(0);
        assertThat(copy.get("filename")).isEqualTo(original.get("filename"));
        assertThat(copy.get("id")).isNotEqualTo(original.get("id"));

        String gone = "/api/attachments/" + original.get("id").stringValue();
        assertThat(disk.server().sendAs(TestServer.KEY, "DELETE", gone).statusCode())
                .isEqualTo(200);
        assertThat(disk.server().get("/api/attachments/" + copy.get("id").stringValue()).body())
                .isEqualTo("hello");
    }

    @Test
    void stoppingEndsTheRunInProgress() throws Exception {
        String session = disk.create();
        try (TestServer.Events events = disk.send(session, "go on for long")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            disk.write(session, "half.txt", "as far as it came");
            assertThat(status(disk.post(session, "stop"))).isEqualTo("stopped");
            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(events.status()).isEqualTo(200);
        }
        assertThat(disk.file(session, "half.txt").body()).isEqualTo("as far as it came");
    }

    @Test
    void theOverridesOfASessionReachItsRuns() throws Exception {
        String session =
                disk.create(Map.of("systemPrompt", "Only for Acme.", "model", "own-model"))
                        .get("id")
                        .stringValue();
        try (TestServer.Events events = disk.send(session, "hello")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            String config =
                    disk.server()
                            .send(
                                    java.net.http.HttpRequest.newBuilder(
                                                    java.net.URI.create(
                                                            run.dispatch().agentUrl() + "/config"))
                                            .header("Authorization", run.dispatch().otpRun())
                                            .build())
                            .body();
            assertThat(config).contains("Only for Acme.").contains("own-model");
            run.answers("done");
            while (events.line().isPresent()) {}
        }
    }

    private String source(String session) throws Exception {
        return disk.server()
                .getJson("/api/sessions/" + session + "/files")
                .get("source")
                .stringValue();
    }

    private JsonNode read(String id) throws Exception {
        return disk.server().getJson("/api/sessions/" + id).get("session");
    }

    private List<String> ids(String query) throws Exception {
        return disk.server()
                .getJson("/api/sessions" + query)
                .get("sessions")
                .valueStream()
                .map(session -> session.get("id").stringValue())
                .toList();
    }

    private List<String> messages(String session) throws Exception {
        return disk.server()
                .getJson("/api/sessions/" + session + "/messages")
                .get("messages")
                .valueStream()
                .map(message -> message.get("content").stringValue())
                .toList();
    }

    private static String status(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body()).at("/session/status").stringValue();
    }
}
