package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.client.model.Event;
import dev.satchel.client.model.TurnRequest;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClosedClientTest extends ServerTest {
    @Test
    void aReaderThatWaitsIsEnded() throws Exception {
        SatchelClient other = server.client();
        RunEvents events = other.chats().send(TurnRequest.of("/sleep 60"));
        String run = ((Event.Started) events.next().orElseThrow()).runId();
        CountDownLatch reads = new CountDownLatch(1);
        FutureTask<Optional<Event>> rest =
                new FutureTask<>(
                        () -> {
                            reads.countDown();
                            Optional<Event> next = events.next();
                            while (next.isPresent()) {
                                next = events.next();
                            }
                            return next;
                        });
        Thread.ofVirtual().start(rest);
        reads.await();

        other.close();

        assertThatThrownBy(() -> rest.get(30, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("this client is closed");
        client.runs().cancel(run);
    }

    @Test
    void nothingMoreIsSent() {
        SatchelClient other = server.client();
        other.close();

        assertThatThrownBy(() -> other.models())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this client is closed");
    }
}
