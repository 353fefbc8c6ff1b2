package dev.satchel.client.examples;

import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.TurnRequest;
import java.net.URI;
import java.util.Optional;

/** Sends a message and prints every step as it happens, then the answer. */
public final class AskAQuestion {
    private AskAQuestion() {}

    public static void main(String[] arguments) throws Exception {
        URI server = URI.create(arguments[0]);
        String key = arguments[1];
        try (SatchelClient client = SatchelClient.of(server, key);
                RunEvents events = client.chats().send(TurnRequest.of(arguments[2]))) {
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                switch (event.get()) {
                    case Event.Step step -> System.out.println(step.name() + " " + step.status());
                    case Event.Result result -> System.out.println(result.message());
                    case Event.Failure failure -> System.out.println("sorry: " + failure.message());
                    default -> {} // the beginning, the end, pieces of the answer
                }
            }
        }
    }
}
