package dev.satchel.server.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What a link to a chat shows to everybody who has it, and when it ends. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class SharedLinkTest {
    private static final Pattern LINK = Pattern.compile("href=\"(/shared/[^\"]*)\"");

    /** Nobody: a browser without a login. */
    private static final HttpClient ANYBODY = CheckedHttpClient.create();

    @TempDir private Path data;
    private final Dialect dialect;
    private final MovableClock clock = new MovableClock();
    private ScriptedSandbox sandbox;
    private TestServer server;

    SharedLinkTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration usual = TestServer.configuration(data, database, sandbox.url());
        server =
                TestServer.start(
                        TestConfiguration.withSandbox(
                                usual,
                                TestConfiguration.remote(
                                        sandbox.url(), data.resolve("workspaces"))),
                        clock);
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void showsTheThreadAndTheFilesAsTheyStoodWhenItWasMade() throws Exception {
        String chat = server.newChat();
        server.upload(chat, "bag.txt", "of the bag");
        turn(chat, Map.of("message", "first question"), "first answer", "old");
        String link = url(share(chat, Map.of("with", "link")));
        turn(chat, Map.of("message", "second question"), "second answer", "new");
        server.upload(chat, "later.txt", "later");
        String title = "/api/assistant/chats/" + chat;
        server.send("PATCH", title, Map.of("title", "another title"));

        String page = open(link).body();

        assertThat(page).contains("first question", "first answer", "bag.txt", "made.txt");
        assertThat(page).doesNotContain("second", "later.txt", "another title");
        Map<String, String> files = download(page);
        assertThat(Set.copyOf(files.values())).isEqualTo(Set.of("of the bag", "old"));
    }

    @Test
    void showsThePathThatWasActiveWhenItWasMade() throws Exception {
        String chat = server.newChat();
        turn(chat, Map.of("message", "one"), "answer to one", "1");
        JsonNode messages = server.getJson("/api/assistant/chats/" + chat).get("messages");
        String first = messages.get(1).get("id").stringValue();
        turn(chat, Map.of("message", "left behind"), "answer left behind", "2");
        turn(chat, Map.of("message", "instead", "parentMessageId", first), "answer instead", "3");
        String link = url(share(chat, Map.of("with", "link")));
        String tip = messages(chat).get(2).get("id").stringValue();
        turn(chat, Map.of("message", "third", "parentMessageId", first), "third answer", "4");

        String page = open(link).body();

        assertThat(tip).isNotEmpty();
        assertThat(page).contains("answer to one", "answer instead");
        assertThat(page).doesNotContain("left behind", "third");
        assertThat(download(page).values()).containsExactly("3");
    }

    @Test
    void isNotIndexedAndRunsNothing() throws Exception {
        String chat = server.newChat();
        String hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>";
        turn(chat, Map.of("message", hostile), hostile, "1");
        String link = url(share(chat, Map.of("with", "link")));

        HttpResponse<String> page = open(link);

        assertThat(page.body()).doesNotContain("<script", "<img").contains("&lt;script&gt;");
        assertThat(page.headers().firstValue("X-Robots-Tag").orElse("")).contains("noindex");
        assertThat(page.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "form-action 'none'", "frame-ancestors 'none'")
                .doesNotContain("script-src", "unsafe");
        Matcher file = LINK.matcher(page.body());
        assertThat(file.find()).isTrue();
        HttpResponse<String> download = get(server.url(unescaped(file.group(1))));
        assertThat(download.headers().firstValue("X-Robots-Tag").orElse("")).contains("noindex");
        assertThat(download.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment");
    }

    @Test
    void endsWhenItIsRevokedAtItsTimeAndWithItsChat() throws Exception {
        String chat = server.newChat();
        turn(chat, Map.of("message", "hello"), "done", "1");
        JsonNode revoked = share(chat, Map.of("with", "link"));
        long until = clock.millis() + Duration.ofDays(7).toMillis();
        JsonNode timed = share(chat, Map.of("with", "link", "until", until));
        JsonNode lasting = share(chat, Map.of("with", "link"));
        String file = unescaped(firstLink(open(url(revoked)).body()));
        String shares = "/api/assistant/chats/" + chat + "/shares";

        String id = revoked.get("id").stringValue();
        assertThat(server.sendAs(TestServer.KEY, "DELETE", shares + "/" + id).statusCode())
                .isEqualTo(204);
        assertThat(get(URI.create(url(revoked))).statusCode()).isEqualTo(404);
        assertThat(get(server.url(file)).statusCode()).isEqualTo(404);
        assertThat(open(url(timed)).statusCode()).isEqualTo(200);

        clock.advance(Duration.ofDays(7));
        assertThat(get(URI.create(url(timed))).statusCode()).isEqualTo(404);
        assertThat(open(url(lasting)).statusCode()).isEqualTo(200);
        assertThat(server.getJson(shares).get("shares")).hasSize(1);

        String path = "/api/assistant/chats/" + chat;
        server.sendAs(TestServer.KEY, "DELETE", path);
        assertThat(get(URI.create(url(lasting))).statusCode()).isEqualTo(404);
        assertThat(server.post(path + "/restore", Map.of()).statusCode()).isEqualTo(200);
        assertThat(get(URI.create(url(lasting))).statusCode()).isEqualTo(404);
    }

    @Test
    void keepsItsSnapshotUntilItEnds() throws Exception {
        String chat = server.newChat();
        turn(chat, Map.of("message", "one"), "done", "pruned");
        turn(chat, Map.of("message", "two"), "done", "shared");
        JsonNode share = share(chat, Map.of("with", "link"));
        clock.advance(Duration.ofDays(100));
        turn(chat, Map.of("message", "three"), "done", "newest");

        assertThat(download(open(url(share)).body()).values()).containsExactly("shared");
        assertThat(snapshots(chat)).isEqualTo(2);

        String id = share.get("id").stringValue();
        String path = "/api/assistant/chats/" + chat + "/shares/" + id;
        assertThat(server.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(204);
        clock.advance(Duration.ofDays(100));
        turn(chat, Map.of("message", "four"), "done", "4");
        assertThat(snapshots(chat)).isEqualTo(1);
    }

    @Test
    void itsTokenIsStoredAsAHash() throws Exception {
        String chat = server.newChat();
        JsonNode share = share(chat, Map.of("with", "link"));
        String token = url(share).substring(url(share).indexOf('=') + 1);

        assertThat(token).hasSizeGreaterThan(40);
        String shares = "/api/assistant/chats/" + chat + "/shares";
        assertThat(server.get(shares).body()).doesNotContain(token).doesNotContain("url");
        assertThat(server.get("/api/audit").body()).contains("share").doesNotContain(token);
        if (dialect == Dialect.SQLITE) {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String bytes =
                            Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
                    assertThat(bytes.contains(token)).as(file.toString()).isFalse();
                }
            }
        }
    }

    @Test
    void isRefusedWhileATurnRuns() throws Exception {
        String chat = server.newChat();
        String shares = "/api/assistant/chats/" + chat + "/shares";
        try (Events events = server.turn(Map.of("message", "go", "chatId", chat))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            assertThat(server.post(shares, Map.of("with", "link")).statusCode()).isEqualTo(409);
            run.answers("done");
            events.rest();
        }
        assertThat(server.post(shares, Map.of("with", "link")).statusCode()).isEqualTo(201);
        assertThat(server.post(shares, Map.of("with", "everybody")).statusCode()).isEqualTo(400);
        Map<String, Object> past = Map.of("with", "link", "until", clock.millis());
        assertThat(server.post(shares, past).statusCode()).isEqualTo(400);
    }

    private JsonNode share(String chat, Map<String, ?> wanted) throws Exception {
        HttpResponse<String> made = server.post("/api/assistant/chats/" + chat + "/shares", wanted);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.MAPPER.readTree(made.body());
    }

    private static String url(JsonNode share) {
        return share.get("url").stringValue();
    }

    private static HttpResponse<String> open(String link) throws Exception {
        HttpResponse<String> page = get(URI.create(link));
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return page;
    }

    private static HttpResponse<String> get(URI address) throws Exception {
        return ANYBODY.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    /** The text of each file to which a page leads. */
    private Map<String, String> download(String page) throws Exception {
        Map<String, String> files = new HashMap<>();
        Matcher links = LINK.matcher(page);
        while (links.find()) {
            HttpResponse<String> file = get(server.url(unescaped(links.group(1))));
            assertThat(file.statusCode()).as(links.group(1)).isEqualTo(200);
            files.put(links.group(1), file.body());
        }
        return files;
    }

    private static @Nullable String firstLink(String page) {
        Matcher link = LINK.matcher(page);
        return link.find() ? link.group(1) : null;
    }

    private static String unescaped(@Nullable String link) {
        return String.valueOf(link).replace("&amp;", "&");
    }

    private JsonNode messages(String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat).get("messages");
    }

    private int snapshots(String chat) throws Exception {
        return server.getJson("/api/sessions/" + chat + "/snapshots").get("snapshots").size();
    }

    private void turn(String chat, Map<String, ?> body, String answer, String made)
            throws Exception {
        Map<String, Object> inChat = new LinkedHashMap<>(body);
        inChat.put("chatId", chat);
        try (Events events = server.turn(inChat)) {
            assertThat(events.status()).isEqualTo(200);
            ScriptedSandbox.RunOnStage run = sandbox.next();
            Path workspace = Files.createDirectories(data.resolve("workspaces").resolve(chat));
            Files.writeString(workspace.resolve("made.txt"), made);
            run.answers(answer);
            events.rest();
        }
    }
}
