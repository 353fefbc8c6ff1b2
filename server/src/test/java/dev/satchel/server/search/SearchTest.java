package dev.satchel.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Searching on both databases; a server is shared by the tests of one. */
@ParameterizedClass
@EnumSource(Dialect.class)
class SearchTest {
    private static ScriptedSandbox sandbox;
    private static Map<Dialect, TestServer> servers;
    private final TestServer server;

    @BeforeAll
    static void start() throws Exception {
        sandbox = new ScriptedSandbox();
        servers =
                Map.of(
                        Dialect.SQLITE,
                        TestServer.start(Dialect.SQLITE, sandbox.url()),
                        Dialect.POSTGRESQL,
                        TestServer.start(Dialect.POSTGRESQL, sandbox.url()));
    }

    @AfterAll
    static void stop() {
        servers.values().forEach(TestServer::close);
        sandbox.close();
    }

    SearchTest(Dialect dialect) {
        this.server = Objects.requireNonNull(servers.get(dialect));
    }

    @Test
    void messagesOfBothSidesAreFoundWithTheirPlaceAndTheirMatches() throws Exception {
        String chat = turn("Where is the Kaffeemühle?", "The kaffeemuhle stands\nin the kitchen.");

        JsonNode hits = search("KAFFEEMUHLE&in=messages").get("hits");

        assertThat(values(hits, "kind")).containsExactlyInAnyOrder("message", "chat", "message");
        JsonNode answer = hits.get(0);
        assertThat(answer.get("chatId").stringValue()).isEqualTo(chat);
        assertThat(answer.get("role").stringValue()).isEqualTo("assistant");
        assertThat(answer.get("seq").longValue()).isEqualTo(2);
        assertThat(answer.get("name").stringValue()).isEqualTo("Where is the Kaffeemühle?");
        String snippet = answer.get("snippet").stringValue();
        assertThat(snippet).isEqualTo("The kaffeemuhle stands in the kitchen.");
        JsonNode match = answer.get("matches").get(0);
        int start = match.get("start").intValue();
        assertThat(snippet.substring(start, start + match.get("length").intValue()))
                .isEqualTo("kaffeemuhle");
    }

    @Test
    void everyWordMustOccurAndPhrasesStayTogether() throws Exception {
        String near = turn("violet giraffe counts", "ok");
        String far = turn("giraffe sees a violet bird", "ok");

        assertThat(chats("giraffe violet ")).containsExactlyInAnyOrder(near, far);
        assertThat(chats("\"violet giraffe\"")).containsExactly(near);
        assertThat(chats("\"violet bird")).containsExactly(far);
        assertThat(chats("giraffe absentword ")).isEmpty();
    }

    @Test
    void theLastWordAndAStarStandForTheRestOfAWord() throws Exception {
        String chat = turn("quarterlyreports arrive", "ok");

        assertThat(chats("quarterlyrep")).containsExactly(chat);
        assertThat(chats("quarterlyrep* arrive ")).containsExactly(chat);
        assertThat(chats("quarterlyrep arrive")).isEmpty();
        assertThat(chats("quarterlyrep ")).isEmpty();
        assertThat(chats("\"quarterlyrep\"")).isEmpty();
    }

    @Test
    void otherScriptsSymbolsAndIdentifiersAreFound() throws Exception {
        String chinese = turn("我想学习中文和数学", "好");
        String japanese = turn("東京で日本語を勉強します", "はい");
        String korean = turn("나는 한국어를 배웁니다", "네");
        String emoji = turn("shipped it 🦭 today", "ok");
        String code = turn("call zed_alpha(beta.gamma.delta) gives 9.81", "ok");

        assertThat(chats("中文")).containsExactly(chinese);
        assertThat(chats("学")).containsExactly(chinese);
        assertThat(chats("学习中文")).containsExactly(chinese);
        assertThat(chats("习学")).isEmpty();
        assertThat(chats("日本語")).containsExactly(japanese);
        assertThat(chats("勉強し")).containsExactly(japanese);
        assertThat(chats("한국어")).containsExactly(korean);
        assertThat(chats("🦭")).containsExactly(emoji);
        assertThat(chats("zed_alpha")).containsExactly(code);
        assertThat(chats("beta.gamma.delta")).containsExactly(code);
        assertThat(chats("gamma.beta")).isEmpty();
        assertThat(chats("9.81")).containsExactly(code);
    }

    @Test
    void titlesAreFoundAndFollowRenames() throws Exception {
        String chat = turn("hello there", "ok");
        rename(chat, "Plans for Ljubljana");
        assertThat(values(search("ljubljana").get("hits"), "kind")).containsExactly("chat");

        rename(chat, "Plans for Maribor");

        assertThat(chats("ljubljana")).isEmpty();
        assertThat(chats("maribor")).containsExactly(chat);
    }

    @Test
    void filesAndAssetsAreFoundByTheirNames() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "Übersicht_walrus.pdf", "1").get("id").stringValue();
        server.send(
                server.request("/api/assets")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("walrus notes.txt", "2").publisher())
                        .build());

        JsonNode hits = search("walrus&in=files").get("hits");

        assertThat(values(hits, "kind")).containsExactlyInAnyOrder("file", "asset");
        assertThat(values(search("ubersicht walr").get("hits"), "fileId")).containsExactly(file);
        assertThat(search("walrus&in=messages").get("hits").size()).isZero();
        assertThat(
                        server.sendAs(TestServer.KEY, "DELETE", "/api/assets/" + asset(hits))
                                .statusCode())
                .isEqualTo(204);
        assertThat(values(search("walrus&in=files").get("hits"), "kind")).containsExactly("file");
    }

    @Test
    void anotherTenantFindsNothing() throws Exception {
        String chat = turn("secretpelican lands", "ok");
        String other = server.keyOf("pelicans");

        JsonNode found =
                Json.MAPPER.readTree(
                        server.sendAs(other, "GET", "/api/search?q=secretpelican").body());

        assertThat(found.get("hits").size()).isZero();
        assertThat(chats("secretpelican")).containsExactly(chat);
    }

    @Test
    void aDeletedChatIsFoundAgainWhenItIsRestored() throws Exception {
        String chat = turn("ephemeralnarwhal", "ok");
        server.upload(chat, "ephemeralnarwhal.txt", "1");

        server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);
        assertThat(chats("ephemeralnarwhal")).isEmpty();

        server.post("/api/assistant/chats/" + chat + "/restore", Map.of());
        assertThat(values(search("ephemeralnarwhal").get("hits"), "kind"))
                .containsExactlyInAnyOrder("message", "chat", "file");
    }

    @Test
    void manyHitsComePageByPageEachOnceAndNewestFirst() throws Exception {
        String chat = server.newChat();
        MultipartBody body = new MultipartBody();
        for (int i = 0; i < 10; i++) {
            body.file("abundance " + i + ".txt", "x");
        }
        for (int i = 0; i < 3; i++) {
            server.send(
                    server.request("/api/assets")
                            .header("Content-Type", MultipartBody.CONTENT_TYPE)
                            .POST(body.publisher())
                            .build());
        }
        server.upload(chat, "abundance.txt", "x");

        List<String> found = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = search("abundance&limit=7" + cursor);
            found.addAll(values(page.get("hits"), "fileId"));
            page.get("hits").forEach(hit -> times.add(hit.get("at").longValue()));
            cursor =
                    page.get("nextCursor").isNull()
                            ? ""
                            : "&cursor=" + page.get("nextCursor").stringValue();
        } while (!cursor.isEmpty());

        assertThat(found).hasSize(31).doesNotHaveDuplicates();
        assertThat(times).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"",
                "\"\"\"",
                "***",
                "- - -",
                "()",
                ":",
                "§",
                "\\",
                "'",
                "%00",
                "NOT",
                "AND OR",
                "a NEAR(b)",
                "words:x",
                "^x",
                "{x}",
                "x + y",
                "' OR 1=1 --",
                "!a & (b | c) <-> d:*",
                "'a':*B",
                "\uD83E",
                "*x*",
                "x*y",
                "\t\n"
            })
    void nothingThatIsTypedIsAnError(String typed) throws Exception {
        for (String query : List.of(typed, "word " + typed, typed + " word")) {
            int status = server.get("/api/search?q=" + encoded(query)).statusCode();
            assertThat(status).as(query).isIn(200, 400);
        }
    }

    @Test
    void badRequestsAreRefused() throws Exception {
        assertThat(server.get("/api/search").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=%20").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=a%00b").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=" + "x".repeat(1_001)).statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=" + "x+".repeat(400)).statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=x&in=everything").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=x&limit=0").statusCode()).isEqualTo(400);
        assertThat(server.get("/api/search?q=x&cursor=x").statusCode()).isEqualTo(400);
    }

    @Test
    void aLongMessageIsFoundToItsEnd() throws Exception {
        String words =
                IntStream.range(0, 20_000)
                        .mapToObj(i -> "filler" + i % 50)
                        .reduce(new StringBuilder(), (b, w) -> b.append(w).append(' '), (a, b) -> a)
                        .toString();
        String chat = turn("long one", words + "thelastokapi");

        JsonNode hits = search("thelastokapi").get("hits");
        assertThat(values(hits, "chatId")).containsExactly(chat);
        assertThat(hits.get(0).get("snippet").stringValue()).endsWith("thelastokapi");
        assertThat(values(search("filler7").get("hits"), "messageId")).hasSize(1);
    }

    @Test
    void writesThatRaceAreAllFound() throws Exception {
        List<Thread> writers =
                Stream.generate(() -> Thread.ofVirtual().unstarted(this::uploadRacing))
                        .limit(8)
                        .toList();
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(values(search("racingcheetah&limit=50").get("hits"), "fileId"))
                .hasSize(16)
                .doesNotHaveDuplicates();
    }

    private void uploadRacing() {
        try {
            String chat = server.newChat();
            server.upload(chat, "racingcheetah.txt", "1");
            server.upload(chat, "racingcheetah 2.txt", "1");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String turn(String message, String answer) throws Exception {
        String chat = server.newChat();
        try (Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            sandbox.next().answers(answer);
            events.rest();
        }
        return chat;
    }

    private void rename(String chat, String title) throws Exception {
        server.send("PATCH", "/api/assistant/chats/" + chat, Map.of("title", title));
    }

    private static String asset(JsonNode hits) {
        for (JsonNode hit : hits) {
            if (hit.get("kind").stringValue().equals("asset")) {
                return hit.get("fileId").stringValue();
            }
        }
        throw new AssertionError("no asset");
    }

    /** The query and further parameters. */
    private JsonNode search(String query) throws Exception {
        int more = query.indexOf('&');
        String words = more < 0 ? query : query.substring(0, more);
        String parameters = more < 0 ? "" : query.substring(more);
        return server.getJson("/api/search?q=" + encoded(words) + parameters);
    }

    private Set<String> chats(String query) throws Exception {
        return new LinkedHashSet<>(values(search(query).get("hits"), "chatId"));
    }

    private static List<String> values(JsonNode hits, String field) {
        List<String> values = new ArrayList<>();
        hits.forEach(hit -> values.add(hit.get(field).stringValue()));
        return values;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
