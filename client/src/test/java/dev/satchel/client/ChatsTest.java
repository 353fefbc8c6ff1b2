package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatThread;
import dev.satchel.client.model.ContentBlock;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.Message;
import dev.satchel.client.model.MessageQueue;
import dev.satchel.client.model.QueuedMessage;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

public class ChatsTest extends ServerTest {
    @Test
    void aTurnTakesFilesTellsItsStepsAndHandsFilesBack() throws Exception {
        String chat = client.chats().create("Sorting").id();
        FileInfo numbers =
                client.bags()
                        .put(
                                chat,
                                List.of(LocalServer.file("zahlen ü.txt", "3\n1\n2\n")),
                                (_, _) -> {})
                        .getFirst();

        List<Event> events =
                all(
                        client.chats()
                                .send(
                                        TurnRequest.of(
                                                        "/sh mkdir -p assets && sort zahlen* >"
                                                                + " assets/sorted.txt")
                                                .in(chat)
                                                .with(List.of(numbers.id()))));

        assertThat(events.getFirst()).isInstanceOf(Event.Started.class);
        assertThat(events.getLast()).isEqualTo(new Event.End("succeeded"));
        assertThat(events.stream().filter(Event.Step.class::isInstance)).hasSize(2);
        Event.Result result = (Event.Result) events.get(events.size() - 2);
        try (DownloadStream content = client.bags().open(chat, result.files().getFirst().id())) {
            assertThat(content.stream())
                    .hasBinaryContent("1\n2\n3\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aCutConnectionGoesOnWhereItWasCutAndNothingComesTwice() throws Exception {
        try (InterruptibleProxy proxy = new InterruptibleProxy(server.url());
                SatchelClient far = SatchelClient.of(proxy.url(), LocalServer.KEY);
                RunEvents events =
                        far.chats().send(TurnRequest.of("/sh echo one\n/sleep 1\n/sh echo two"))) {
            List<Event> seen = new ArrayList<>();
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                seen.add(event.get());
                if (seen.size() <= 4) {
                    proxy.cut(); // after each of the first four
                }
            }

            String run = ((Event.Started) seen.getFirst()).runId();
            assertThat(seen).isEqualTo(all(client.runs().events(run)));
            assertThat(seen.getLast()).isEqualTo(new Event.End("succeeded"));
            assertThat(proxy.connections()).isGreaterThan(1);
        }
    }

    @Test
    void aMessageThatIsSentDuringATurnWaitsAndCanBeChanged() throws Exception {
        String chat = client.chats().create("Waiting").id();
        TurnRequest sleeps = TurnRequest.of("/sleep 600").in(chat);
        SentMessage first = client.chats().sendOrQueue(sleeps);
        try (RunEvents events = ((SentMessage.Started) first).events()) {
            SentMessage.Queued second = queue(chat, "/sh echo second");
            SentMessage.Queued third = queue(chat, "/sh echo third");
            assertThat(List.of(second.position(), third.position())).containsExactly(1, 2);

            client.queues().remove(chat, second.messageId());
            MessageQueue edited = client.queues().edit(chat, third.messageId(), "/sleep 601");
            assertThat(edited.messages())
                    .extracting(QueuedMessage::message)
                    .containsExactly("/sleep 601");
            client.chats().cancel(chat);
            assertThat(client.queues().list(chat).paused()).isTrue();
            assertThat(all(events).getLast()).isEqualTo(new Event.End("cancelled"));
        }
        assertThat(client.queues().resume(chat).paused()).isFalse();
        try (RunEvents events = client.chats().follow(chat).orElseThrow()) {
            client.chats().cancel(chat);
            assertThat(all(events).getLast()).isEqualTo(new Event.End("cancelled"));
        }
        assertThat(client.chats().read(chat, 10, null).messages()).hasSize(4);
    }

    private SentMessage.Queued queue(String chat, String text) throws Exception {
        return (SentMessage.Queued) client.chats().sendOrQueue(TurnRequest.of(text).in(chat));
    }

    @Test
    void aReaderGoesOnFromAPositionItKept() throws Exception {
        EventPosition kept;
        String run;
        try (RunEvents events = client.chats().send(TurnRequest.of("/sh echo one"))) {
            run = ((Event.Started) events.next().orElseThrow()).runId();
            kept = events.position().orElseThrow();
        }

        List<Event> rest = all(client.runs().events(kept));

        List<Event> whole = all(client.runs().events(run));
        assertThat(rest).isEqualTo(whole.subList(1, whole.size()));
        EventPosition end = new EventPosition(run, client.runs().read(run).lastSeq());
        assertThat(all(client.runs().events(end))).isEmpty();
    }

    @Test
    void aRunningTurnIsFollowedByOthersAndCancelled() throws Exception {
        try (RunEvents events = client.chats().send(TurnRequest.of("/sleep 600"))) {
            String chat = ((Event.Started) events.next().orElseThrow()).chatId();
            try (RunEvents other = client.chats().follow(chat).orElseThrow()) {
                assertThat(other.next().orElseThrow()).isInstanceOf(Event.Started.class);
                assertThat(client.chats().cancel(chat)).isTrue();
                assertThat(all(other).getLast()).isEqualTo(new Event.End("cancelled"));
            }
            assertThat(client.chats().follow(chat)).isEmpty();
        }
    }

    @Test
    void aThreadIsReadRenamedDeletedAndRestored() throws Exception {
        List<Event> events = all(client.chats().send(TurnRequest.of("/sh echo hello")));
        String chat = ((Event.Started) events.getFirst()).chatId();

        client.chats().rename(chat, "Greeting");
        ChatThread thread = client.chats().read(chat, 50, null);
        assertThat(thread.title()).isEqualTo("Greeting");
        assertThat(thread.messages())
                .extracting(Message::role)
                .containsExactly("user", "assistant");
        assertThat(thread.messages().getFirst().text()).isEqualTo("/sh echo hello");
        assertThat(thread.messages().getLast().content())
                .hasAtLeastOneElementOfType(ContentBlock.Step.class);
        assertThat(client.chats().list(100, null).chats()).extracting(Chat::id).contains(chat);

        client.chats().delete(chat);
        assertThat(client.chats().list(100, null).chats())
                .extracting(Chat::id)
                .doesNotContain(chat);
        assertThat(client.chats().restore(chat).title()).isEqualTo("Greeting");
    }

    @Test
    void aRefusalHasAStatusACodeAndWords() {
        assertThatThrownBy(() -> client.chats().read("no-such-chat", 50, null))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> {
                            assertThat(refusal.status()).isEqualTo(404);
                            assertThat(refusal.code()).isEqualTo("not_found");
                            assertThat(refusal).hasMessageContaining("chat");
                        });
        SatchelClient stranger = SatchelClient.of(server.url(), "wrong");
        assertThatThrownBy(() -> stranger.chats().list(10, null))
                .isInstanceOfSatisfying(
                        ApiException.class, refusal -> assertThat(refusal.status()).isEqualTo(401));
    }

    @Test
    void aServerThatIsNotThereIsNoRefusal() {
        SatchelClient nobody = SatchelClient.of(URI.create("http://127.0.0.1:1"), "key");
        assertThatThrownBy(() -> nobody.chats().list(10, null))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(ApiException.class);
    }

    public static List<Event> all(RunEvents events) throws IOException, InterruptedException {
        try (events) {
            List<Event> all = new ArrayList<>();
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                all.add(event.get());
            }
            return all;
        }
    }
}
