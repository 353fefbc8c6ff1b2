package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.common.ExitCode;
import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The commands for the branches of a chat, against a real server. */
@Timeout(180)
class BranchCommandsTest {
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
    void branchesAreBegunListedSwitchedAndForked() throws Exception {
        String sent = satchel.run("send", "/sh echo one > a.txt", "--json").lines().getFirst();
        String chat = ClientJson.MAPPER.readTree(sent).get("chatId").stringValue();
        satchel.run("send", "-c", chat, "/sh echo two > a.txt");
        JsonNode thread = json("chats", "show", chat, "--json");
        String first = thread.at("/messages/1/id").stringValue();
        String second = thread.at("/messages/3/id").stringValue();

        assertThat(satchel.run("chats", "branches", chat, first, "--exact").lines().getFirst())
                .isEqualTo(first);
        assertThat(satchel.run("files", "get", chat, "a.txt", "-").out()).isEqualTo("one\n");
        satchel.run("send", "-c", chat, "/sh echo other > b.txt");

        List<String> branches = satchel.run("chats", "branches", chat).lines();
        assertThat(branches).hasSize(3);
        assertThat(branches.get(1)).startsWith("*").contains(second, "  4  ", "/sh echo one");
        assertThat(branches.get(2)).startsWith("*").contains("  2  ", "/sh echo other");

        List<String> switched =
                satchel.run("chats", "branches", chat, second.substring(0, 8)).lines();
        assertThat(switched.getFirst()).isEqualTo(second);
        assertThat(switched.getLast()).startsWith("the files that were left are in the snapshot ");
        assertThat(satchel.run("files", "get", chat, "a.txt", "-").out()).isEqualTo("two\n");
        assertThat(satchel.run("files", "ls", chat).out()).doesNotContain("b.txt");
        assertThat(satchel.run("chats", "branches", chat).lines().get(2)).startsWith(" ");

        String fork = satchel.run("chats", "fork", chat, first).out().strip();
        assertThat(json("chats", "show", fork, "--json").get("messageCount").intValue())
                .isEqualTo(2);
        assertThat(satchel.run("send", "-c", fork, "/sh cat a.txt").out()).contains("one");
        assertThat(satchel.run("chats", "branches", chat, "unknown").code())
                .isEqualTo(ExitCode.NOT_FOUND);
    }

    private static JsonNode json(String... command) throws Exception {
        return ClientJson.MAPPER.readTree(satchel.run(command).out());
    }
}
