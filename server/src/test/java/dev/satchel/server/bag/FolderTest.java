package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that keep the folder they were dropped with. */
class FolderTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void filesOfOneNameInTwoFoldersKeepBoth(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();

            String first = upload(server, chat, "src", "index.ts");
            String second = upload(server, chat, "test/deep/", "index.ts");
            String third = upload(server, chat, "src", "index.ts");

            assertThat(List.of(first, second, third))
                    .containsExactly("src/index.ts", "test/deep/index.ts", "src/index-1.ts");
            assertThat(BagTest.unzip(zip(server, chat)))
                    .isEqualTo(
                            Map.of(
                                    "src/index.ts", "1",
                                    "test/deep/index.ts", "1",
                                    "src/index-1.ts", "1"));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aNameIsNeverAFileAndAFolder(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();
            upload(server, chat, "src_1", "a.txt");

            assertThat(upload(server, chat, "", "SRC_1")).isEqualTo("SRC_1-1");
            assertThat(upload(server, chat, "", "srcX1")).isEqualTo("srcX1");
            assertThat(post(server, chat, "srcX1/deep", "a.txt").statusCode()).isEqualTo(409);
            assertThat(post(server, chat, "../up", "a.txt").statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aNumberGoesPastNamesThatFilesOrFoldersHave(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();
            upload(server, chat, "", "A-1.txt");
            upload(server, chat, "a-3.txt", "within.txt");

            assertThat(upload(server, chat, "", "a.txt")).isEqualTo("a.txt");
            assertThat(upload(server, chat, "", "a.txt")).isEqualTo("a-2.txt");
            assertThat(upload(server, chat, "", "a.txt")).isEqualTo("a-4.txt");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDownloadAndAnAssetHaveTheNameWithoutItsFolder(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();
            String id =
                    Json.MAPPER
                            .readTree(post(server, chat, "src", "a.txt").body())
                            .at("/files/0/id")
                            .stringValue();
            String file = "/api/assistant/chats/" + chat + "/files/" + id;

            assertThat(server.get(file).headers().firstValue("Content-Disposition").orElse(""))
                    .contains("filename=\"a.txt\"");
            assertThat(
                            Json.MAPPER
                                    .readTree(server.post(file + "/save", Map.of()).body())
                                    .get("name")
                                    .stringValue())
                    .isEqualTo("a.txt");
        }
    }

    private static String upload(TestServer server, String chat, String folder, String name)
            throws Exception {
        HttpResponse<String> response = post(server, chat, folder, name);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return Json.MAPPER.readTree(response.body()).at("/files/0/name").stringValue();
    }

    private static HttpResponse<String> post(
            TestServer server, String chat, String folder, String name) throws Exception {
        return server.send(
                server.request("/api/assistant/chats/" + chat + "/files?folder=" + folder)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(name, "1").publisher())
                        .build());
    }

    private static byte[] zip(TestServer server, String chat) throws Exception {
        try (var client = CheckedHttpClient.create()) {
            return client.send(
                            server.request("/api/assistant/chats/" + chat + "/files.zip").build(),
                            BodyHandlers.ofByteArray())
                    .body();
        }
    }
}
