package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands that share, pin and archive chats, against a real server. */
@Timeout(180)
class ShareCommandsTest {
    private static SatchelProcess satchel;

    @BeforeAll
    static void start() throws IOException {
        satchel = SatchelProcess.start();
    }

    @AfterAll
    static void stop() {
        satchel.close();
    }

    @Test
    void chatIsSharedWithALinkListedAndRevoked() throws Exception {
        String chat = newChat("/sh echo kept > a.txt");

        String link = satchel.run("chats", "share", chat, "--days", "7").out().strip();
        assertThat(open(link).body()).contains("/sh echo kept", "a.txt");
        String listed = satchel.run("chats", "shares", chat).out();
        assertThat(listed).contains("link");
        String id = listed.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
        assertThat(satchel.run("chats", "shares").out()).doesNotContain(id);

        satchel.run("chats", "unshare", chat, id.substring(0, 8));
        assertThat(open(link).statusCode()).isEqualTo(404);
        assertThat(satchel.run("chats", "shares", chat).out()).doesNotContain(id);
    }

    @Test
    void chatIsPinnedAndArchivedAndTakenBack() throws Exception {
        String chat = newChat("hello");

        satchel.run("chats", "pin", chat);
        assertThat(satchel.run("chats", "ls", "--json").out()).contains("\"pinned\":true");
        satchel.run("chats", "pin", chat, "--undo");
        satchel.run("chats", "archive", chat);
        assertThat(satchel.run("chats", "ls").out()).doesNotContain(chat);
        assertThat(satchel.run("chats", "ls", "--archived").out()).contains(chat);
        satchel.run("chats", "archive", chat, "--undo");
        assertThat(satchel.run("chats", "ls").out()).contains(chat);
    }

    private static String newChat(String message) throws Exception {
        String sent = satchel.run("send", message, "--json").lines().getFirst();
        return ClientJson.MAPPER.readTree(sent).get("chatId").stringValue();
    }

    private static HttpResponse<String> open(String link) throws Exception {
        try (HttpClient anybody = HttpClient.newHttpClient()) {
            return anybody.send(
                    HttpRequest.newBuilder(URI.create(link)).build(), BodyHandlers.ofString());
        }
    }
}
