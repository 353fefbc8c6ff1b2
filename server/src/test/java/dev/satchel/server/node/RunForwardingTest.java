package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.file;
import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Any server accepts a turn; the server that has the conversation's files executes it. */
class RunForwardingTest {
    private static final SandboxConfiguration OWN = TestConfiguration.embedded();

    private TestNodes nodes;
    private Path disk;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        disk = Files.createTempDirectory("satchel-test-");
        other = nodes.start(OWN);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void turnsAreExecutedWhereTheFilesAre() throws Exception {
        TestServer one = nodes.start(disk, OWN, Clock.systemUTC());
        String chat = one.newChat();
        turn(one, chat, "/sh echo one >> log.txt && pwd -P && stat -c %i . > inode");
        String inode = Files.readString(live(chat).resolve("inode"));

        List<Event> followed = turn(other, chat, "/sh echo two >> log.txt && stat -c %i . > inode");
        turn(one, chat, "/sh echo three >> log.txt");
        turn(other, chat, "/sh echo four >> log.txt");

        assertThat(followed).extracting(Event::type).startsWith("chat").endsWith("result", "end");
        assertThat(live(chat).resolve("log.txt")).hasContent("one\ntwo\nthree\nfour\n");
        assertThat(live(chat).resolve("inode")).hasContent(inode); // the same directory
        assertThat(other.get(files(chat) + "/log.txt").body()).startsWith("one\ntwo");
    }

    @Test
    void aDisconnectCancelsARunThatAnotherServerExecutes() throws Exception {
        TestServer one = nodes.start(disk, OWN, Clock.systemUTC());
        String chat = one.newChat();
        turn(one, chat, "/sh echo here > log.txt");
        Events events = other.turn(Map.of("message", "/sh echo on > on; sleep 60", "chatId", chat));
        String run = events.next().orElseThrow().data().get("runId").stringValue();
        assertThat(events.next()).isPresent(); // its step: the other has it

        events.close();

        String status = "running";
        while (status.equals("running")) { // a client that follows the run would keep it
            status = one.getJson("/api/runs/" + run).get("status").stringValue();
        }
        assertThat(status).isEqualTo("cancelled");
    }

    @Test
    void theNewestFilesOfAServerWithoutARunnerAreBroughtOver() throws Exception {
        TestServer one = nodes.start(disk, OWN, Clock.systemUTC());
        String chat = one.newChat();
        turn(one, chat, "/sh echo one >> log.txt");
        one.close();
        TestServer idle = nodes.start(disk, new SandboxConfiguration.None(), Clock.systemUTC());
        idle.post(files(chat), Map.of("files", List.of(file("late.txt", "late"))));

        String message = message(turn(other, chat, "/sh cat late.txt log.txt"));

        assertThat(message).contains("late").contains("one");
        assertThat(live(chat)).doesNotExist(); // the old copy is removed
    }

    @Test
    void editsOfBagFilesAreBroughtOver() throws Exception {
        TestServer one = nodes.start(disk, OWN, Clock.systemUTC());
        String chat = one.newChat();
        one.upload(chat, "main.py", "old");
        one.upload(chat, "gone.txt", "gone");
        turn(one, chat, "/sh echo edited > main.py && rm gone.txt");
        one.close();
        nodes.start(disk, new SandboxConfiguration.None(), Clock.systemUTC());
        other.upload(chat, "new.txt", "new");

        String message = message(turn(other, chat, "/sh cat main.py new.txt && ls"));

        assertThat(message).contains("edited").contains("new");
        assertThat(message).doesNotContain("gone.txt").doesNotContain("main-1.py");
    }

    @Test
    void aBagFileOfALostDiskIsCopiedAgain() throws Exception {
        String chat = other.newChat();
        other.upload(chat, "main.py", "old");
        turn(other, chat, "/sh echo edited > main.py");
        other.upload(chat, "new.txt", "new");
        nodes.moveHome(chat, NodeId.random().value(), URI.create("http://127.0.0.1:1"));

        String message = message(turn(other, chat, "/sh cat main.py new.txt && ls"));

        assertThat(message).contains("edited").contains("new").doesNotContain("main-1.py");
    }

    @Test
    void aServerThatIsUnreachableOverHttpStillExecutesItsRuns() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            TestServer one = nodes.start(disk, OWN, Clock.systemUTC());
            nodes.readdress(one.url(""), URI.create("http://127.0.0.1:" + silent.getLocalPort()));
            String chat = one.newChat();
            turn(one, chat, "/sh echo one >> log.txt");

            JsonNode read = other.getJson(files(chat));
            turn(other, chat, "/sh echo two >> log.txt");

            assertThat(read.get("source").stringValue()).isEqualTo("snapshot");
            assertThat(live(chat).resolve("log.txt")).hasContent("one\ntwo\n");
        }
    }

    @Test
    void theSnapshotIsUsedWhenTheHeartbeatOfADeadServerExpires() throws Exception {
        String dead = NodeId.random().value();
        String chat = other.newChat();
        turn(other, chat, "/sh echo one >> log.txt");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            nodes.moveHome(chat, dead, URI.create("http://127.0.0.1:" + silent.getLocalPort()));

            String message = message(turn(other, chat, "/sh cat log.txt"));

            assertThat(message).contains("one");
        }
    }

    @Test
    void aServerThatIsStartingTakesNoRuns() throws Exception {
        String chat = other.newChat();
        turn(other, chat, "/sh echo one >> log.txt");
        try (Application starting = nodes.prepare(disk, OWN)) {
            String id = Files.readString(disk.resolve("node-id")).strip();
            nodes.moveHome(chat, id, URI.create("http://127.0.0.1:1"));

            String message = message(turn(other, chat, "/sh cat log.txt"));

            assertThat(message).contains("one");
            assertThat(starting.routes()).isNotEmpty(); // it was there all the time
        }
    }

    private Path live(String chat) {
        return disk.resolve("runner/workspaces").resolve(chat);
    }
}
