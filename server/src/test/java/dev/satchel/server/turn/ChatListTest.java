package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class ChatListTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void chatsAreListedNewestFirstPageByPage(Dialect dialect) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        MovableClock clock = new MovableClock();
        try (TestServer server =
                TestServer.start(
                        TestServer.configuration(
                                Files.createTempDirectory("satchel-test-"), database, null),
                        clock)) {
            List<String> made = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                made.addFirst(server.newChat());
                clock.advance(Duration.ofMillis(i % 2)); // some at the very same time
            }
            List<String> listed = new ArrayList<>();
            String next = "";
            do {
                JsonNode page = server.getJson("/api/assistant/chats?limit=3" + next);
                page.get("chats").forEach(chat -> listed.add(chat.get("id").stringValue()));
                JsonNode cursor = page.get("nextCursor");
                next = cursor.isNull() ? "" : "&cursor=" + cursor.stringValue();
            } while (!next.isEmpty());

            assertThat(listed).containsExactlyInAnyOrderElementsOf(made);
            assertThat(listed.getFirst()).isEqualTo(made.getFirst());
            assertThat(server.get("/api/assistant/chats?cursor=nonsense").statusCode())
                    .isEqualTo(400);
            assertThat(server.get("/api/assistant/chats?limit=0").statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRenamedChatKeepsItsName(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String path = "/api/assistant/chats/" + server.newChat();

            assertThat(server.send("PATCH", path, Map.of("title", "Übersicht")).statusCode())
                    .isEqualTo(200);
            assertThat(server.getJson(path).get("title").stringValue()).isEqualTo("Übersicht");
            assertThat(server.send("PATCH", path, Map.of("title", " ")).statusCode())
                    .isEqualTo(400);
            assertThat(server.send("PATCH", path, Map.of("title", "x".repeat(201))).statusCode())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void pinnedAndArchivedChatsHaveListsOfTheirOwn(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String plain = server.newChat();
            String pinned = server.newChat();
            String archived = server.newChat();
            mark(server, pinned, Map.of("pinned", true));
            mark(server, archived, Map.of("archived", true));

            assertThat(listed(server, "")).containsExactlyInAnyOrder(plain, pinned);
            assertThat(listed(server, "?pinned=true")).containsExactly(pinned);
            assertThat(listed(server, "?pinned=false")).containsExactly(plain);
            assertThat(listed(server, "?archived=true")).containsExactly(archived);

            mark(server, pinned, Map.of("pinned", false));
            mark(server, archived, Map.of("archived", false));

            assertThat(listed(server, "?pinned=true")).isEmpty();
            assertThat(listed(server, "")).hasSize(3);
            assertThat(server.get("/api/assistant/chats?pinned=yes").statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void markStaysWhenAnotherThingIsChanged(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat = server.newChat();
            mark(server, chat, Map.of("pinned", true, "title", "plans"));
            mark(server, chat, Map.of("archived", true));

            JsonNode read = server.getJson("/api/assistant/chats/" + chat);
            assertThat(read.get("pinned").booleanValue()).isTrue();
            assertThat(read.get("archived").booleanValue()).isTrue();
            assertThat(read.get("title").stringValue()).isEqualTo("plans");
            String path = "/api/assistant/chats/" + chat;
            assertThat(server.send("PATCH", path, Map.of()).statusCode()).isEqualTo(400);
        }
    }

    private static void mark(TestServer server, String chat, Map<String, Object> marks)
            throws Exception {
        assertThat(server.send("PATCH", "/api/assistant/chats/" + chat, marks).statusCode())
                .isEqualTo(200);
    }

    private static List<String> listed(TestServer server, String query) throws Exception {
        List<String> ids = new ArrayList<>();
        server.getJson("/api/assistant/chats" + query)
                .get("chats")
                .forEach(chat -> ids.add(chat.get("id").stringValue()));
        return ids;
    }
}
