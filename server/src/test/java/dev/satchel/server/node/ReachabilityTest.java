package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.file;
import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.application.NodeCheck;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.doctor.Finding;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.testing.FreePort;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers call each other by identity: an address that leads to another server is found. */
class ReachabilityTest {
    private static final SandboxConfiguration OWN = TestConfiguration.embedded();

    private final TestNodes nodes = new TestNodes();
    private TestServer one;

    @BeforeEach
    void start() throws Exception {
        one = nodes.start(OWN);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    /** As two machines that both announce 127.0.0.1: each calls itself and means the other. */
    @Test
    void aServerThatAnnouncesTheAddressOfAnotherDoesNotStart() {
        assertThatThrownBy(() -> nodes.startAt(one.url(""), OWN))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("do not reach this one at " + one.url(""))
                .hasMessageContaining("another server than the one that was called answered")
                .hasMessageContaining("SATCHEL_NODE_URL");
    }

    @Test
    void aServerThatOthersDoNotReachDoesNotStart() throws Exception {
        URI closed = closedPort();

        assertThatThrownBy(() -> nodes.startAt(closed, OWN))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("do not reach this one at " + closed)
                .hasMessageContaining("the connection is refused");
    }

    @Test
    void aServerDoesNotJoinOneThatItDoesNotReach() throws Exception {
        URI closed = closedPort();
        nodes.readdress(one.url(""), closed);

        assertThatThrownBy(() -> nodes.start(OWN))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("announces the address " + closed);
    }

    /** It was killed a moment ago, and its heartbeat has not expired. */
    @Test
    void aServerThatIsGoneDoesNotPreventAStart() throws Exception {
        String chat = one.newChat();
        nodes.moveHome(chat, NodeId.random().value(), closedPort());

        assertThat(nodes.start(OWN).getJson("/api/assistant/chats/" + chat)).isNotNull();
    }

    @Test
    void aRequestForAnotherServerIsRefused() throws Exception {
        HttpRequest.Builder request =
                one.request("/internal/node").setHeader("Authorization", "Bearer " + secret());

        assertThat(one.send(request.build()).statusCode()).isEqualTo(421);
        request.header("Satchel-Node", NodeId.random().value());
        assertThat(one.send(request.build()).statusCode()).isEqualTo(421);
    }

    /** An address that changes its server later loses no change either. */
    @Test
    void noServerAnswersForTheFilesOfAnother() throws Exception {
        TestServer other = nodes.start(OWN);
        String chat = one.newChat();
        turn(one, chat, "/sh echo old > a.txt");
        nodes.readdress(one.url(""), other.url("")); // other now calls itself and means one

        assertThat(other.getJson(files(chat)).get("source").stringValue()).isEqualTo("snapshot");
        one.post(files(chat), Map.of("files", List.of(file("a.txt", "new"))));

        assertThat(message(turn(other, chat, "/sh cat a.txt"))).contains("new");
    }

    @Test
    void theDoctorCallsEveryServer() throws Exception {
        TestServer other = nodes.start(OWN);
        URI closed = closedPort();
        assertThat(NodeCheck.check(nodes.database()))
                .extracting(Finding::level)
                .containsExactly(Finding.Level.OK, Finding.Level.OK);
        nodes.readdress(other.url(""), closed);

        assertThat(NodeCheck.check(nodes.database()))
                .filteredOn(finding -> finding.level() == Finding.Level.PROBLEM)
                .singleElement()
                .satisfies(
                        finding ->
                                assertThat(finding.detail())
                                        .contains(closed.toString(), "SATCHEL_NODE_URL"));
    }

    private String secret() {
        try (Database database = Databases.withoutMigration(nodes.database())) {
            return new SigningKeyStore(database)
                    .find(SigningKeyStore.BETWEEN_SERVERS)
                    .orElseThrow();
        }
    }

    /** Nothing listens there. */
    private static URI closedPort() throws Exception {
        return URI.create("http://127.0.0.1:" + FreePort.find());
    }
}
