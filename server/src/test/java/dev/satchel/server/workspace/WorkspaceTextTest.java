package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestDocuments;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The text of a file of a workspace, read by real sandboxes. */
class WorkspaceTextTest {
    private static SessionFiles files;

    @BeforeAll
    static void start() throws Exception {
        files = SessionFiles.startWhole();
        files.write("src/notes.unknown", "a quokka smiles");
    }

    @AfterAll
    static void stop() {
        files.close();
    }

    @Test
    void aDocumentIsReadLiveAndAtASnapshot() throws Exception {
        byte[] before = TestDocuments.docx("Month", "Value", "The aardvark digs");
        Map<String, String> letter =
                Map.of(
                        "path",
                        "out/letter.docx",
                        "content",
                        Base64.getEncoder().encodeToString(before));
        HttpResponse<String> written =
                files.server().post(files.url("/files"), Map.of("files", List.of(letter)));
        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        endATurn();
        JsonNode snapshot = files.server().getJson(files.url("/snapshots")).at("/snapshots/0/id");
        Files.write(
                files.workspace().resolve("out/letter.docx"),
                TestDocuments.docx("Month", "Value", "The badger sleeps"));

        HttpResponse<String> live = files.get("/text/out/letter.docx");
        HttpResponse<String> saved =
                files.get("/text/out/letter.docx?at=" + snapshot.stringValue());

        JsonNode text = files.json(live);
        assertThat(text.get("status").stringValue()).as(live.body()).isEqualTo("ready");
        assertThat(text.get("format").stringValue()).isEqualTo("docx");
        assertThat(text.at("/parts/0/text").stringValue())
                .contains("Month | Value", "The badger sleeps");
        assertThat(live.headers().firstValue("X-Ash-Source")).hasValue("sandbox");
        assertThat(files.json(saved).at("/parts/0/text").stringValue()).contains("aardvark");
        assertThat(saved.headers().firstValue("X-Ash-Source")).hasValue("snapshot");
        assertThat(files.json(files.get("/text/out/letter.docx?page=1")).get("parts").size())
                .isEqualTo(1);
        assertThat(files.json(files.get("/text/out/letter.docx?page=7")).get("parts").size())
                .isZero();
    }

    /** Its end takes a snapshot. */
    private static void endATurn() throws Exception {
        Map<String, String> turn = Map.of("message", "/sh true", "chatId", files.session());
        try (TestServer.Events events = files.server().turn(turn)) {
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void plainTextIsShownAndOtherBytesHaveNoText() throws Exception {
        Files.write(files.workspace().resolve("x.bin"), new byte[] {0, 1, 2, (byte) 0xff, 0});

        assertThat(files.get("/text/src/notes.unknown").body())
                .isEqualTo(
                        "{\"status\":\"ready\",\"format\":\"text\",\"parts\":[{\"kind\":\"section\","
                                + "\"number\":1,\"text\":\"a quokka smiles\"}]}");
        assertThat(files.get("/text/x.bin").body()).isEqualTo("{\"status\":\"none\",\"parts\":[]}");
    }

    @Test
    void aBrokenAndAnEncryptedDocumentSayWhy() throws Exception {
        byte[] whole = TestDocuments.docx("a", "b", "c");
        files.write("broken.pdf", "%PDF-1.7 nothing");
        Files.write(files.workspace().resolve("cut.docx"), Arrays.copyOf(whole, 60));
        byte[] ole2 = new byte[2048];
        byte[] head = Base64.getDecoder().decode("0M8R4KGxGuE=");
        System.arraycopy(head, 0, ole2, 0, head.length);
        byte[] name = "EncryptedPackage".getBytes(StandardCharsets.UTF_16LE);
        System.arraycopy(name, 0, ole2, 1024, name.length);
        Files.write(files.workspace().resolve("secret.docx"), ole2);

        for (String file : List.of("broken.pdf", "cut.docx", "secret.docx")) {
            HttpResponse<String> response = files.get("/text/" + file);
            JsonNode text = files.json(response);
            assertThat(text.get("status").stringValue()).as(response.body()).isEqualTo("failed");
            assertThat(text.get("problem").stringValue()).isNotEmpty();
        }
        assertThat(files.get("/text/secret.docx").body()).contains("password");
    }

    @ParameterizedTest
    @CsvSource({
        "src, 400, Path is not a file",
        "'', 400, File path required",
        "../../../etc/passwd, 400, Invalid file path",
        "%2e%2e/x, 400, Invalid file path",
        "%2Fetc%2Fpasswd, 400, Invalid file path",
        "nope.docx, 404, File not found",
        "src/notes.unknown/, 404, File not found",
        "src/notes.unknown?page=0, 400, querystring/page must be a number from 1 on",
        "src/notes.unknown?at=00000000-0000-4000-8000-000000000000, 404, Snapshot not found",
    })
    void whatCannotBeReadIsRefusedAsByTheFiles(String path, int status, String error)
            throws Exception {
        String answer = RawRequest.get(files, "/text/" + path);

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer).endsWith("{\"error\":\"" + error + "\",\"statusCode\":" + status + "}");
    }

    @Test
    void aLinkThatLeadsOutIsNotFound() throws Exception {
        Path workspace = files.workspace();
        Files.createSymbolicLink(workspace.resolve("leak"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(workspace.resolve("up"), Path.of("../../.."));
        Files.createSymbolicLink(workspace.resolve("inside"), Path.of("src/notes.unknown"));

        assertThat(files.get("/text/leak").statusCode()).isEqualTo(404);
        assertThat(files.get("/text/up/satchel.db").statusCode()).isEqualTo(404);
        assertThat(files.get("/text/inside").body()).contains("quokka");
    }

    @Test
    void anotherTenantFindsNothing() throws Exception {
        TestServer server = files.server();
        String path = files.url("/text/src/notes.unknown");

        HttpResponse<String> answer = server.sendAs(server.keyOf("other"), "GET", path);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("{\"error\":\"Session not found\",\"statusCode\":404}");
    }

    @Test
    void aServerWithoutARunnerSaysThatItReadsNoDocuments() throws Exception {
        try (SessionFiles plain = SessionFiles.start()) {
            plain.write("a.pdf", "%PDF-1.7 x");

            HttpResponse<String> answer = plain.get("/text/a.pdf");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"error\":\"Documents are not read: this server has no runner\","
                                    + "\"statusCode\":503}");
        }
    }
}
