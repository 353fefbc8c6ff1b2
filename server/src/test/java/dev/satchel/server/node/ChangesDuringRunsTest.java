package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One server writes files while another begins a run in the same workspace. */
class ChangesDuringRunsTest {
    private static final int FILES = 60;
    private static final int ROUNDS = 4;
    private static final String CONTENT =
            Base64.getEncoder().encodeToString("x".getBytes(StandardCharsets.UTF_8));

    private TestNodes nodes;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        SandboxConfiguration own = TestConfiguration.embedded();
        one = nodes.start(own);
        other = nodes.start(own);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void aRunSeesAllFilesOfAChangeOrNone() throws Exception {
        String chat = one.newChat();
        for (int round = 0; round < ROUNDS; round++) {
            String folder = "round-" + round;
            boolean change = round % 2 == 0;
            TestServer writes = change ? one : other;
            TestServer runs = change ? other : one;
            List<String> both =
                    TestNodes.atOnce(
                            Stream.<Callable<String>>of(
                                    () -> write(writes, chat, folder),
                                    () -> count(runs, chat, folder)));

            boolean written = both.getFirst().equals("200");
            assertThat(both.getFirst()).isIn("200", "409");
            assertThat(both.getLast()).isIn("0", written ? String.valueOf(FILES) : "0");
            assertThat(count(one, chat, folder)).isEqualTo(written ? "" + FILES : "0");
        }
    }

    private static String write(TestServer server, String chat, String folder) throws Exception {
        List<Map<String, String>> files =
                IntStream.range(0, FILES)
                        .mapToObj(i -> Map.of("path", folder + "/" + i, "content", CONTENT))
                        .toList();
        return String.valueOf(
                server.post("/api/sessions/" + chat + "/files", Map.of("files", files))
                        .statusCode());
    }

    private static String count(TestServer server, String chat, String folder) throws Exception {
        String command = "/sh echo count=$(ls " + folder + " 2>/dev/null | wc -l)";
        try (Events events = server.turn(Map.of("message", command, "chatId", chat))) {
            List<Event> all = events.rest();
            assertThat(all.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
            String answer = all.get(all.size() - 2).data().get("message").stringValue();
            return answer.replaceAll("(?s).*count=(\\d+).*", "$1");
        }
    }
}
