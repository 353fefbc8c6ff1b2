package dev.satchel.server.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ServerProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods that share no volume with the servers: their disks go with them, the files must not. */
@Timeout(120)
class PodsWithoutVolumeTest {
    @TempDir Path folder;
    @TempDir Path data;

    @Test
    void theFilesOfATurnAreThereInThePodOfTheNextAndReadableInBetween() throws Exception {
        try (MockCluster cluster = new MockCluster(folder);
                ServerProcess server = ServerProcess.start(data, variables(cluster))) {
            String chat = chat(server);
            String first =
                    turn(server, chat, "/sh mkdir d && echo kept > d/note && chmod 750 d/note");
            assertThat(cluster.pods()).isEmpty();

            assertThat(first).contains("succeeded");
            String note = "/api/sessions/" + chat + "/files/d/note";
            assertThat(server.send("GET", note, "").body()).isEqualTo("kept\n");
            assertThat(turn(server, chat, "/sh cat d/note; stat -c %a d/note; echo two >> d/note"))
                    .contains("kept")
                    .contains("750");
            assertThat(server.send("GET", note, "").body()).isEqualTo("kept\ntwo\n");
            assertThat(
                            server.send("GET", "/api/sessions/" + chat + "/snapshots", "")
                                    .body()
                                    .split("\"createdAt\"", -1))
                    .hasSize(3); // one a turn
        }
    }

    @Test
    void aFailedTurnsFilesComeHomeTooAndATurnMayTakeFilesAway() throws Exception {
        try (MockCluster cluster = new MockCluster(folder);
                ServerProcess server = ServerProcess.start(data, variables(cluster))) {
            String chat = chat(server);
            turn(server, chat, "/sh echo a > a && echo b > b && ln -s a link");

            turn(server, chat, "/sh rm a && echo c > c && exit 3");

            String listed = server.send("GET", "/api/sessions/" + chat + "/files", "").body();
            assertThat(listed).contains("\"b\"", "\"c\"").doesNotContain("\"a\"");
        }
    }

    private static Map<String, String> variables(MockCluster cluster) {
        return Map.of(
                "SATCHEL_RUNNER",
                "kubernetes",
                "SATCHEL_SANDBOX_IMAGE",
                "satchel:1",
                "SATCHEL_KUBERNETES_NAMESPACE",
                MockCluster.NAMESPACE,
                "KUBERNETES_MASTER",
                cluster.address());
    }

    private static String chat(ServerProcess server) throws Exception {
        String made = server.send("POST", "/api/assistant/chats", "{}").body();
        return Json.MAPPER.readTree(made).get("id").stringValue();
    }

    private static String turn(ServerProcess server, String chat, String message) throws Exception {
        String body = Json.MAPPER.writeValueAsString(Map.of("chatId", chat, "message", message));
        return server.send("POST", "/api/assistant/chat/stream", body).body();
    }
}
