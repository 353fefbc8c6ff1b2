package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** {@code /api/skills}, and the skills that agents name. */
class SkillTest {
    private static final String ALL = "/api/skills";

    @TempDir Path data;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyUploadIsAVersionAndAllAreDeletedTogether(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            JsonNode first = upload(server, "report", "echo 1");
            JsonNode second = upload(server, "report", "echo 2");

            assertThat(first.get("version").asLong()).isEqualTo(1);
            assertThat(second.get("version").asLong()).isEqualTo(2);
            assertThat(second.get("builtIn").booleanValue()).isFalse();
            assertThat(second.get("sha256")).isNotEqualTo(first.get("sha256"));
            JsonNode newest = server.getJson(ALL + "/report");
            assertThat(newest.get("version").asLong()).isEqualTo(2);
            assertThat(newest.get("instructions").stringValue()).contains("# How");
            assertThat(newest.at("/entries/1/path").stringValue()).isEqualTo("scripts/run.sh");
            assertThat(server.getJson(ALL + "/report?version=1").get("sha256"))
                    .isEqualTo(first.get("sha256"));
            assertThat(numbers(server.getJson(ALL + "/report/versions"))).containsExactly(2L, 1L);
            JsonNode page = server.getJson(ALL + "/report/versions?limit=1");
            String next = page.get("nextCursor").stringValue();
            assertThat(numbers(server.getJson(ALL + "/report/versions?limit=1&cursor=" + next)))
                    .containsExactly(1L);
            assertThat(names(server)).contains("report");
            assertThat(server.getJson("/api/storage").at("/skills/count").asLong()).isEqualTo(2);
            assertThat(server.getJson("/api/storage").at("/skills/bytes").asLong()).isPositive();

            assertThat(server.send("DELETE", ALL + "/report", "").statusCode()).isEqualTo(204);
            assertThat(server.send("DELETE", ALL + "/report", "").statusCode()).isEqualTo(404);
            for (String path : List.of("", "?version=1", "/versions", "/archive")) {
                assertThat(server.get(ALL + "/report" + path).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(names(server)).doesNotContain("report");
            assertThat(upload(server, "report", "echo 3").get("version").asLong())
                    .as("a number is never given twice")
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAgentNamesSkillsAndKeepsThem(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            upload(server, "report", "echo 1");
            JsonNode unknown =
                    TestSkills.json(
                            server.post(
                                    "/api/agents",
                                    Map.of("name", "a", "skills", List.of("report", "other"))));
            assertThat(unknown.get("statusCode").asInt()).isEqualTo(400);
            assertThat(unknown.get("detail").stringValue())
                    .contains("other, which is not a skill; known are", "report");
            assertThat(
                            server.post(
                                            "/api/agents",
                                            Map.of("name", "a", "skills", List.of("A b")))
                                    .body())
                    .contains("not a name of a skill");

            JsonNode agent =
                    TestSkills.json(
                            server.post(
                                    "/api/agents",
                                    Map.of("name", "writer", "skills", List.of("report"))));
            String path = "/api/agents/" + agent.get("id").stringValue();
            assertThat(agent.at("/skills/0").stringValue()).isEqualTo("report");
            HttpResponse<String> refused = server.send("DELETE", ALL + "/report", "");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("used by the agents writer");

            server.send("PUT", path, Map.of("name", "writer"));
            assertThat(server.getJson(path).get("skills")).isEmpty();
            JsonNode versions = server.getJson(path + "/versions");
            assertThat(versions.at("/versions/1/skills/0").stringValue()).isEqualTo("report");
            assertThat(server.send("DELETE", ALL + "/report", "").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void anotherTenantNeitherSeesNorChangesIt() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            upload(server, "report", "echo mine");
            String stranger = server.keyOf("other");

            assertThat(server.sendAs(stranger, "GET", ALL).body())
                    .contains("\"pdf-report\"")
                    .doesNotContain("\"report\"");
            for (String path : List.of("/report", "/report/versions", "/report/archive")) {
                assertThat(server.sendAs(stranger, "GET", ALL + path).statusCode()).isEqualTo(404);
            }
            assertThat(server.sendAs(stranger, "DELETE", ALL + "/report").statusCode())
                    .isEqualTo(404);
            byte[] own = TestSkills.zip(TestSkills.skill("report", "echo theirs"));
            assertThat(
                            TestSkills.json(TestSkills.upload(server, stranger, own))
                                    .get("version")
                                    .asLong())
                    .isEqualTo(1);
            assertThat(server.getJson(ALL + "/report/versions").get("versions")).hasSize(1);
        }
    }

    @Test
    void anArchiveCanBeDownloadedAndUploadedAgain() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            JsonNode stored = upload(server, "report", "echo 1");
            byte[] archive;
            try (TestServer.Events download =
                    server.events(server.request(ALL + "/report/archive").build())) {
                archive = download.response().body().readAllBytes();
            }
            JsonNode again = TestSkills.json(TestSkills.upload(server, archive));
            assertThat(again.get("version").asLong()).isEqualTo(2);
            assertThat(again.get("sha256")).isEqualTo(stored.get("sha256"));
        }
    }

    @Test
    void aFormHasOneArchive() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            byte[] zip = TestSkills.zip(TestSkills.skill("report", "echo 1"));
            assertThat(form(server, zip).statusCode()).isEqualTo(201);
            HttpResponse<String> two = form(server, zip, zip);
            assertThat(two.statusCode()).isEqualTo(400);
            assertThat(two.body()).contains("one archive has one skill");
            assertThat(form(server).statusCode()).isEqualTo(400);
            assertThat(server.getJson(ALL + "/report/versions").get("versions")).hasSize(1);
            HttpResponse<String> text =
                    server.send(
                            server.request(ALL)
                                    .header("Content-Type", "text/plain")
                                    .POST(BodyPublishers.ofString("hello"))
                                    .build());
            assertThat(text.statusCode()).isEqualTo(415);
        }
    }

    @Test
    void aRefusedUploadLeavesNothing() throws Exception {
        SkillLimits limits = new SkillLimits(5, 2_000);
        try (TestServer server =
                TestServer.start(
                        TestConfiguration.withSkills(configuration(Dialect.SQLITE), limits),
                        Clock.systemUTC())) {
            Map<String, String> large = TestSkills.skill("report", "0".repeat(3_000));
            Map<String, String> many = TestSkills.skill("report", "");
            for (int i = 0; i < 5; i++) {
                many.put("f" + i, "");
            }
            HttpResponse<String> bytes = TestSkills.upload(server, TestSkills.zip(large));
            HttpResponse<String> packed = TestSkills.upload(server, TestSkills.tar(large));
            HttpResponse<String> files = TestSkills.upload(server, TestSkills.tar(many));
            HttpResponse<String> none = TestSkills.upload(server, "junk".getBytes(UTF_8));

            assertThat(bytes.statusCode()).isEqualTo(413);
            assertThat(bytes.body()).contains("more than 2000 bytes", "SATCHEL_MAX_SKILL_BYTES");
            assertThat(packed.statusCode()).isEqualTo(413);
            assertThat(packed.body()).contains("2000");
            assertThat(files.statusCode()).isEqualTo(413);
            assertThat(none.statusCode()).isEqualTo(400);
            assertThat(names(server)).doesNotContain("report");
            assertThat(objects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void uploadsAtTheSameTimeHaveDifferentVersions(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Long>> uploads = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String script = "echo " + i;
                uploads.add(() -> upload(server, "report", script).get("version").asLong());
            }
            List<Long> versions = new ArrayList<>();
            for (var done : threads.invokeAll(uploads)) {
                versions.add(done.get());
            }
            assertThat(versions).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
        }
    }

    @Test
    void aSweepDeletesTheBytesOfDeletedSkillsAndLostUploads() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            upload(server, "report", "echo 1");
            upload(server, "kept", "echo 2");
            server.send("DELETE", ALL + "/report", "");
        }
        Path folder = data.resolve("objects/skills/default");
        Path lost = Files.writeString(folder.resolve("00000000-lost"), "a crash left it");
        for (Path object : objects()) {
            Files.setLastModifiedTime(
                    object, java.nio.file.attribute.FileTime.from(Clock.systemUTC().instant()));
        }
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(2));
        try (TestServer server =
                TestServer.start(configuration(Dialect.SQLITE), later, Clock.systemUTC())) {
            server.sweep();
            assertThat(lost).doesNotExist();
            assertThat(objects()).hasSize(1);
            assertThat(server.getJson("/api/storage").at("/skills/count").asLong()).isEqualTo(1);
            assertThat(server.get(ALL + "/kept").statusCode()).isEqualTo(200);
            assertThat(upload(server, "report", "echo").get("version").asLong()).isEqualTo(2);
        }
    }

    private List<Path> objects() throws Exception {
        Path folder = data.resolve("objects/skills");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static HttpResponse<String> form(TestServer server, byte[]... archives)
            throws Exception {
        MultipartBody body = new MultipartBody();
        for (byte[] archive : archives) {
            body.file("skill.zip", archive);
        }
        return server.send(
                server.request(ALL)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build());
    }

    private static JsonNode upload(TestServer server, String name, String script) throws Exception {
        HttpResponse<String> answer =
                TestSkills.upload(server, TestSkills.zip(TestSkills.skill(name, script)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return TestSkills.json(answer);
    }

    private static List<String> names(TestServer server) throws Exception {
        return server.getJson(ALL)
                .get("skills")
                .valueStream()
                .map(skill -> skill.get("name").stringValue())
                .toList();
    }

    private static List<Long> numbers(JsonNode page) {
        return page.get("versions")
                .valueStream()
                .map(skill -> skill.get("version").asLong())
                .toList();
    }

    private TestServer start(Dialect dialect) throws Exception {
        return TestServer.start(configuration(dialect), Clock.systemUTC());
    }

    private Configuration configuration(Dialect dialect) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        return TestServer.configuration(data, database, null);
    }
}
