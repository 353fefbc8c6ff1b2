package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What tests of several servers ask of each. */
final class NodeCalls {
    private NodeCalls() {}

    /** One of the files that {@code POST …/files} takes. */
    static Map<String, String> file(String path, String content) {
        return Map.of(
                "path",
                path,
                "content",
                Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)));
    }

    static String files(String chat) {
        return "/api/sessions/" + chat + "/files";
    }

    /** A whole turn that succeeds. */
    static List<Event> turn(TestServer server, String chat, String message) throws Exception {
        try (Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            List<Event> all = events.rest();
            assertThat(all.getLast().data().get("status").stringValue())
                    .as(all.toString())
                    .isEqualTo("succeeded");
            return all;
        }
    }

    /** The answer of a turn. */
    static String message(List<Event> events) {
        return events.get(events.size() - 2).data().get("message").stringValue();
    }
}
