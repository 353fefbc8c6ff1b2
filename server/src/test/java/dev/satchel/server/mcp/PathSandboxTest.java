package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.staging.StagedAssetStore;
import dev.satchel.server.testing.TestServer;
import dev.satchel.tools.Tool;
import dev.satchel.tools.UnscaledImageLoader;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.view.ViewTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Paths out of the two areas of a conversation. All refusals have the same message; the audit log
 * has the reason.
 */
class PathSandboxTest {
    private Path data;
    private TestServer server;
    private String chat;
    private McpClient client;

    @BeforeEach
    void start() throws Exception {
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, null);
        chat = server.newChat();
        client = McpClient.of(server, chat);
        server.upload(chat, "a.txt", "1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void dotsAreRefused() throws Exception {
        assertRefused("uploaded/../../etc/passwd", "traversal");
    }

    @Test
    void anAbsolutePathElsewhereIsRefused() throws Exception {
        assertRefused("/etc/passwd", "absolute");
    }

    @Test
    void aSiblingWithTheSamePrefixIsRefused() throws Exception {
        assertRefused("/app/uploads/" + chat + "-evil/uploaded/a.txt", "prefix_sibling");
    }

    @Test
    void aLinkInPlaceOfTheBytesIsNotFollowed() throws Exception {
        Path file = bytesOf("a.txt");
        Files.delete(file);
        Files.createSymbolicLink(file, foreign());

        assertRefused("a.txt", "bytes_link");
    }

    @Test
    void aLinkedFolderOfTheStoreIsNotFollowed() throws Exception {
        Path folder = folderOf("a.txt");
        Path moved = Files.move(folder, data.resolve("elsewhere"));
        Files.createSymbolicLink(folder, moved);

        assertRefused("a.txt", "bytes_linked_folder");
    }

    @Test
    void aHardLinkToOtherBytesIsNotShownEvenWhereTheirSizeIsTheSame() throws Exception {
        Path file = bytesOf("a.txt");
        Files.delete(file);
        Files.createLink(file, Files.writeString(data.resolve("foreign.txt"), "2"));

        assertRefused("a.txt", "bytes_hard_link");
    }

    @Test
    void aNullByteInAPathIsRefused() throws Exception {
        assertRefused("uploaded/a.txt\0.png", "nul");
    }

    @Test
    void aPipeInPlaceOfTheBytesIsNotOpened() throws Exception {
        Path file = bytesOf("a.txt");
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();

        assertRefused("a.txt", "bytes_no_file");
    }

    /** Each path is a lookup in the database. */
    @Test
    void thousandsOfPathsAtOnceAreRefused() throws Exception {
        List<String> paths = Stream.generate(() -> "a.txt").limit(1_001).toList();
        JsonNode result = client.call("grep", Map.of("pattern", "1", "paths", paths));
        assertThat(result.get("isError").booleanValue()).isTrue();
        assertThat(reason(AuditEvent.Action.TOOL_CALL)).isEqualTo("too_many");
    }

    @Test
    void anotherSessionsFileDoesNotExistByIdNorByPath() throws Exception {
        String other = server.newChat();
        String id = server.upload(other, "secret.txt", "secret").get("id").stringValue();

        assertRefused(id, "other_session");
        assertRefused("/app/uploads/" + other + "/uploaded/secret.txt", "other_session");
        assertRefused("secret.txt", "missing");
    }

    @Test
    void theTokenOfADeletedSessionIsRefused() throws Exception {
        delete("/api/assistant/chats/" + chat);

        assertThat(client.legacy("ping", Map.of()).statusCode()).isEqualTo(401);
        assertThat(lastOf(AuditEvent.Action.TOKEN).outcome()).isEqualTo(AuditEvent.Outcome.DENIED);
        assertThat(reason(AuditEvent.Action.TOKEN)).isEqualTo("session_deleted");
    }

    @Test
    void theTokenOfAWipedSessionIsDeletedWithIt() throws Exception {
        delete("/agent-server/api/sessions/" + chat);

        assertThat(client.legacy("ping", Map.of()).statusCode()).isEqualTo(401);
        assertThat(lastOf(AuditEvent.Action.TOKEN).outcome())
                .isEqualTo(
                        AuditEvent.Outcome.ALLOWED); // a refusal of an unknown token has no session
    }

    @ParameterizedTest
    @CsvSource({
        "file:///etc/passwd, uri",
        "~/.ssh/id_rsa, home",
        "uploaded\\a.txt, backslash",
        "workspace/a.txt, outside_areas",
        "uploaded/nothing.txt, missing",
        "uploaded/a.txt/b, missing"
    })
    void otherUnusualPathsAreRefused(String path, String reason) throws Exception {
        assertRefused(path, reason);
    }

    @Test
    void aLongPathIsCutInResponseAndLog() throws Exception {
        JsonNode result = client.call("view", Map.of("path", "x".repeat(5000)));

        assertThat(result.at("/content/0/text").stringValue()).hasSizeLessThan(500);
        assertThat(reason(AuditEvent.Action.TOOL_CALL)).isEqualTo("length");
    }

    @Test
    void missingContentHasAnotherReasonThanAMissingPath() throws Exception {
        Files.delete(bytesOf("a.txt"));

        assertRefused("a.txt", "bytes_missing");
    }

    @Test
    void aDirectorySwappedForALinkNeverShowsForeignBytes() throws Exception {
        whileAFolderIsSwapped(
                () -> {
                    for (int i = 0; i < 100; i++) {
                        requireOwnOrNone(client.text("view", Map.of("path", "a.txt")));
                    }
                });
    }

    /** Without HTTP, which is limited to 3,000 calls a minute. */
    @Test
    void tenThousandReadsDuringASwapNeverShowForeignBytes() throws Exception {
        McpSession session =
                new McpSession(
                        TenantId.DEFAULT,
                        UserId.FIRST_OWNER,
                        new ConversationId(chat),
                        false,
                        CallerCredential.SERVER);
        Tool<ReadableDirectory> view =
                new ViewTool()
                        .on(
                                files ->
                                        new ViewTool.Context(
                                                files,
                                                new UnscaledImageLoader(),
                                                DocumentTextReader.none("no runner")));
        JsonNode path = Json.MAPPER.valueToTree(Map.of("path", "uploaded/a.txt"));
        try (Database database = Databases.sqlite(data.resolve("satchel.db"));
                ObjectStore objects = new LocalObjectStore(data.resolve("objects"))) {
            ConversationDirectory files =
                    new ConversationFileLookup(
                                    database,
                                    new BagStore(new ConversationStore()),
                                    new StagedAssetStore(),
                                    objects)
                            .directory(session);
            whileAFolderIsSwapped(
                    () -> {
                        for (int i = 0; i < 10_000; i++) {
                            requireOwnOrNone(view.call(path, files).text());
                        }
                    });
        }
    }

    private interface Reads {
        void run() throws Exception;
    }

    private void whileAFolderIsSwapped(Reads reads) throws Exception {
        Path folder = folderOf("a.txt");
        Path foreign = Files.createDirectory(data.resolve("foreign"));
        Files.writeString(foreign.resolve("a.txt"), "2");
        Path aside = data.resolve("aside");
        AtomicBoolean done = new AtomicBoolean();
        Thread swapping =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!done.get()) {
                                        swap(folder, aside, foreign);
                                    }
                                });
        try {
            reads.run();
        } finally {
            done.set(true);
            swapping.join();
        }
    }

    private static void requireOwnOrNone(String text) {
        assertThat(text)
                .satisfiesAnyOf(
                        own -> assertThat(own).isEqualTo("1. 1"),
                        none -> assertThat(none).contains("does not exist"));
    }

    private static void swap(Path folder, Path aside, Path foreign) {
        try {
            Files.move(folder, aside);
            Files.createSymbolicLink(folder, foreign);
            Files.delete(folder);
            Files.move(aside, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertRefused(String path, String reason) throws Exception {
        JsonNode result = client.call("view", Map.of("path", path));
        assertThat(result.get("isError").booleanValue()).as(path).isTrue();
        JsonNode body = Json.MAPPER.readTree(result.at("/content/0/text").stringValue());
        assertThat(body)
                .isEqualTo(
                        Json.MAPPER.valueToTree(
                                Map.of(
                                        "error",
                                        "Path "
                                                + path.replace('\0', '?')
                                                + " does not exist. Please provide a valid path.",
                                        "code",
                                        "not_found")));
        assertThat(reason(AuditEvent.Action.TOOL_CALL)).isEqualTo(reason);
    }

    private Path foreign() throws IOException {
        return Files.writeString(data.resolve("foreign.txt"), "2");
    }

    private String reason(AuditEvent.Action action) {
        return lastOf(action).detail().getOrDefault("reason", "");
    }

    /** A second connection to the database file of the server. */
    private AuditEvent lastOf(AuditEvent.Action action) {
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            List<AuditEvent> all = database.read(tx -> new AuditStore().ofSession(tx, chat));
            return all.stream().filter(event -> event.action() == action).toList().getLast();
        }
    }

    private void delete(String path) throws Exception {
        assertThat(server.send(server.request(path).DELETE().build()).statusCode()).isEqualTo(204);
    }

    private Path folderOf(String name) throws IOException {
        return Objects.requireNonNull(bytesOf(name).getParent());
    }

    private Path bytesOf(String name) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("objects"))) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
