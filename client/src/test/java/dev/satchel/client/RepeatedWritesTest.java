package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.model.AgentSpec;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.RunAnswer;
import dev.satchel.client.model.TurnRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes whose connection is lost before or after the request are done exactly once. */
class RepeatedWritesTest extends ServerTest {
    private static final String TURN = "/sh echo one";

    private InterruptibleProxy proxy;
    private SatchelClient far;

    @BeforeEach
    void connect() throws Exception {
        proxy = new InterruptibleProxy(server.url());
        far = SatchelClient.of(proxy.url(), LocalServer.KEY);
    }

    @AfterEach
    void disconnect() throws Exception {
        far.close();
        proxy.close();
    }

    @Test
    void aTurnThatNeverArrivedIsSentAgain() throws Exception {
        proxy.loseRequest();

        assertOneTurn(ChatsTest.all(far.chats().send(TurnRequest.of(TURN))));
    }

    /** Before the first byte, within the headers, between them and the first event, and later. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 100, 300, 400, 500, 600, 800, 1_000})
    void aTurnWhoseAnswerIsCutIsTakenOnceAndToldWhole(long bytes) throws Exception {
        proxy.cutAfter(bytes);

        assertOneTurn(ChatsTest.all(far.chats().send(TurnRequest.of(TURN))));
    }

    @Test
    void aTurnThatIsStillRunningIsJoined() throws Exception {
        proxy.cutAfter(0);
        try (RunEvents events = far.chats().send(TurnRequest.of("/sleep 600"))) {
            Event.Started started = (Event.Started) events.next().orElseThrow();
            assertThat(proxy.connections()).isGreaterThan(1);
            client.chats().cancel(started.chatId());
            Optional<Event> last = Optional.empty();
            for (Optional<Event> next = events.next(); next.isPresent(); next = events.next()) {
                last = next;
            }
            assertThat(last).hasValue(new Event.End("cancelled"));
            assertThat(messages(started.chatId())).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 400})
    void aRunWithoutAChatIsBegunOnce(long bytes) throws Exception {
        String agent = client.agents().create(AgentSpec.named("agent-of-" + bytes)).id();
        proxy.cutAfter(bytes);
        RunAnswer answer = far.agents().run(agent, TURN);
        assertThat(answer.status()).isEqualTo("succeeded");

        proxy.cut();
        proxy.cutAfter(bytes);
        List<Event> events = ChatsTest.all(far.agents().start(agent, TURN));
        assertThat(events.getFirst()).isInstanceOf(Event.RunStarted.class);
        assertThat(events.getLast()).isEqualTo(new Event.End("succeeded"));
        assertThat(events).filteredOn(Event.RunStarted.class::isInstance).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 300, 500})
    void aChatIsMadeOnceAndDeletedOnce(long bytes) throws Exception {
        int before = client.chats().list(100, null).chats().size();
        proxy.cutAfter(bytes);
        String chat = far.chats().create("once").id();
        assertThat(client.chats().list(100, null).chats()).hasSize(before + 1);

        proxy.cut();
        proxy.cutAfter(bytes);
        far.chats().delete(chat); // a second time would be 404
        assertThat(client.chats().list(100, null).chats()).hasSize(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 300})
    void aFileIsUploadedOnce(long bytes) throws Exception {
        String chat = client.chats().create(null).id();
        proxy.cutAfter(bytes);
        List<FileInfo> stored =
                far.bags().put(chat, List.of(LocalServer.file("a.txt", "hello")), (_, _) -> {});

        assertThat(stored).extracting(FileInfo::name).containsExactly("a.txt");
        assertThat(client.bags().list(chat)).hasSize(1);
    }

    private static void assertOneTurn(List<Event> events) throws Exception {
        Event.Started started = (Event.Started) events.getFirst();
        assertThat(events).isEqualTo(ChatsTest.all(client.runs().events(started.runId())));
        assertThat(events.getLast()).isEqualTo(new Event.End("succeeded"));
        assertThat(messages(started.chatId())).isEqualTo(2);
        assertThat(client.chats().list(100, null).chats())
                .filteredOn(chat -> TURN.equals(chat.title()))
                .extracting(Chat::id)
                .containsExactly(started.chatId());
        client.chats().delete(started.chatId());
    }

    private static int messages(String chat) throws Exception {
        return client.chats().read(chat, 50, null).messages().size();
    }
}
