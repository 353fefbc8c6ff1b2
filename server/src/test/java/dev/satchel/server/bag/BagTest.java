package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class BagTest {
    private static final String HELLO_SHA256 =
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

    private ScriptedSandbox sandbox;
    private Path data;
    private TestServer server;
    private String chat;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, sandbox.url());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theSameNameTwiceGetsASuffixAndAHash(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url())) {
            String chatId = other.newChat();
            JsonNode first = other.upload(chatId, "a.txt", "hello");
            JsonNode second = other.upload(chatId, "a.txt", "other");

            assertThat(first.get("name").stringValue()).isEqualTo("a.txt");
            assertThat(first.get("sha256").stringValue()).isEqualTo(HELLO_SHA256);
            assertThat(first.get("size").longValue()).isEqualTo(5);
            assertThat(first.get("source").stringValue()).isEqualTo("user");
            assertThat(second.get("name").stringValue()).isEqualTo("a-1.txt");
            assertThat(names(other, chatId)).containsExactly("a.txt", "a-1.txt");
        }
    }

    @Test
    void objectsLieWhereAnOperatorFindsThem() throws Exception {
        server.upload(chat, "report ü.txt", "hello");

        assertThat(objects())
                .anyMatch(key -> key.contains("assistant-chat-bag/default/" + chat + "/report"));
    }

    @Test
    void aDeletedNameStaysReserved() throws Exception {
        JsonNode file = server.upload(chat, "a.txt", "hello");
        String path = filesPath() + "/" + file.get("id").stringValue();

        assertThat(server.send("DELETE", path, "").statusCode()).isEqualTo(204);

        assertThat(server.get(path).statusCode()).isEqualTo(404);
        assertThat(server.send("DELETE", path, "").statusCode()).isEqualTo(404);
        assertThat(server.upload(chat, "a.txt", "new").get("name").stringValue())
                .isEqualTo("a-1.txt");
    }

    @Test
    void aFileComesBackAsItWentIn() throws Exception {
        JsonNode file = server.upload(chat, "a.txt", "hello");
        HttpResponse<String> response =
                server.get(filesPath() + "/" + file.get("id").stringValue());

        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.headers().firstValue("Content-Length")).contains("5");
    }

    @Test
    void tooLargeAFileOrTooManyIs413AndNothingIsStored() throws Exception {
        MultipartBody tooLarge =
                new MultipartBody().file("ok.txt", "fine").file("big.bin", new byte[10_000_001]);
        assertThat(upload(tooLarge).statusCode()).isEqualTo(413);
        MultipartBody tooMany = new MultipartBody();
        for (int i = 0; i < 11; i++) {
            tooMany.file(i + ".txt", "x");
        }
        assertThat(upload(tooMany).statusCode()).isEqualTo(413);
        MultipartBody together =
                new MultipartBody()
                        .file("1.bin", new byte[6_800_000])
                        .file("2.bin", new byte[6_800_000])
                        .file("3.bin", new byte[6_800_000]); // within the body's limit
        assertThat(upload(together).statusCode()).isEqualTo(413);

        assertThat(names(server, chat)).isEmpty();
        assertThat(objects()).isEmpty();
        assertThat(server.upload(chat, "ok.txt", "fine").get("name").stringValue())
                .isEqualTo("ok.txt");
    }

    @Test
    void anUploadWithoutAFileIsRefused() throws Exception {
        HttpResponse<String> response = upload(new MultipartBody());
        assertThat(response.statusCode()).isEqualTo(400);
    }

    @Test
    void theWholeBagComesAsAZip() throws Exception {
        server.upload(chat, "a.txt", "hello");
        server.upload(chat, "b.txt", "world");

        assertThat(unzip(bytes("/api/assistant/chats/" + chat + "/files.zip")))
                .isEqualTo(Map.of("a.txt", "hello", "b.txt", "world"));
    }

    /** Windows would unpack such a file to the current folder of a drive. */
    @Test
    void aDriveLetterIsNoDriveInTheZip() throws Exception {
        server.upload(chat, "C:a.txt", "hello");

        assertThat(unzip(bytes("/api/assistant/chats/" + chat + "/files.zip")))
                .isEqualTo(Map.of("C%3Aa.txt", "hello"));
    }

    @Test
    void attachmentsStandOnTheMessageAndThoseOfAnotherChatAreRefused() throws Exception {
        JsonNode file = server.upload(chat, "a.txt", "hello");
        String id = file.get("id").stringValue();
        HttpResponse<String> foreign =
                server.post(
                        "/api/assistant/chat/stream",
                        Map.of(
                                "message",
                                "x",
                                "chatId",
                                server.newChat(),
                                "attachmentIds",
                                List.of(id)));
        assertThat(foreign.statusCode()).isEqualTo(422);
        assertThat(sandbox.nothingDispatched()).isTrue();

        try (Events events =
                server.turn(
                        Map.of("message", "look", "chatId", chat, "attachmentIds", List.of(id)))) {
            sandbox.next().answers("seen");
            events.rest();
        }

        JsonNode message = server.getJson("/api/assistant/chats/" + chat).at("/messages/0");
        assertThat(message.at("/fileAttachments/0/name").stringValue()).isEqualTo("a.txt");
        assertThat(message.at("/fileAttachments/0").has("storageKey")).isFalse();
        assertThat(server.getJson(filesPath()).at("/files/0/messageId"))
                .isEqualTo(message.get("id"));
    }

    @Test
    void aDeletedChatTakesItsFilesAlongAndARestoreBringsBackOnlyThose() throws Exception {
        JsonNode gone = server.upload(chat, "gone.txt", "1");
        server.upload(chat, "kept.txt", "2");
        server.send("DELETE", filesPath() + "/" + gone.get("id").stringValue(), "");
        server.send("DELETE", "/api/assistant/chats/" + chat, "");
        assertThat(server.get(filesPath()).statusCode()).isEqualTo(404);

        server.post("/api/assistant/chats/" + chat + "/restore", "");

        assertThat(names(server, chat)).containsExactly("kept.txt");
    }

    private String filesPath() {
        return "/api/assistant/chats/" + chat + "/files";
    }

    private HttpResponse<String> upload(MultipartBody body) throws Exception {
        return server.send(
                server.request(filesPath())
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build());
    }

    private byte[] bytes(String path) throws Exception {
        return CheckedHttpClient.create()
                .send(server.request(path).build(), BodyHandlers.ofByteArray())
                .body();
    }

    private List<String> objects() throws IOException {
        Path root = data.resolve("objects");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .toList();
        }
    }

    private static List<String> names(TestServer server, String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat + "/files")
                .get("files")
                .valueStream()
                .map(file -> file.get("name").stringValue())
                .toList();
    }

    static Map<String, String> unzip(byte[] bytes) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }
}
