package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that are sent to one chat at the same time, and messages that are sent twice. */
class ConcurrentQueueTest extends ScriptedChatTest {
    @Test
    void manyAtOnceAreEachSentOnceInTheOrderOfTheirPlaces() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "first");
        int count = 64;

        List<HttpResponse<String>> answers =
                atOnce(
                        IntStream.range(0, count)
                                .<Callable<HttpResponse<String>>>mapToObj(
                                        i -> () -> queue(chat, "n" + i))
                                .toList());

        String[] places = new String[count];
        for (HttpResponse<String> answer : answers) {
            assertThat(answer.statusCode()).isEqualTo(202);
            places[json(answer).get("position").intValue() - 1] =
                    json(answer).get("messageId").stringValue().substring(2);
        }
        assertThat(places).doesNotContainNull();
        assertThat(queued(chat)).containsExactly(places);
        HttpResponse<String> tooMany = queue(chat, "one more");
        assertThat(tooMany.statusCode()).isEqualTo(409);
        assertThat(tooMany.body()).contains("queue_full", "64 queued messages");

        first.answers("done");
        for (int i = 0; i < count; i++) {
            sandbox.next().answers("done");
        }
        List<String> sent = new ArrayList<>(thread(chat));
        sent.removeIf("done"::equals);
        assertThat(sent).hasSize(count + 1).containsSubsequence(places);
    }

    @Test
    void onlyOneOfManyStartsInAFreeChatAndTheOthersWait() throws Exception {
        String chat = server.newChat();
        List<Events> answers =
                atOnce(
                        IntStream.range(0, 16)
                                .<Callable<Events>>mapToObj(
                                        i ->
                                                () -> {
                                                    Map<String, Object> body =
                                                            message(chat, "n" + i);
                                                    body.put("whenBusy", "queue");
                                                    return server.turn(body);
                                                })
                                .toList());

        assertThat(answers).extracting(Events::status).containsOnly(200, 202);
        assertThat(answers).extracting(Events::status).containsOnlyOnce(200);
        for (int i = 0; i < 16; i++) {
            sandbox.next().answers("done");
        }
        for (Events events : answers) {
            events.close();
        }
    }

    @Test
    void aRepeatedRequestIsQueuedOnce() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        Map<String, Object> body = message(chat, "two");
        body.put("whenBusy", "queue");

        List<HttpResponse<String>> answers =
                atOnce(List.of(() -> keyed(body, "k1"), () -> keyed(body, "k1")));
        body.put("userMessageId", "m-other");
        HttpResponse<String> other = keyed(body, "k2");

        assertThat(answers).extracting(HttpResponse::statusCode).containsExactly(202, 202);
        assertThat(answers.getFirst().body()).isEqualTo(answers.getLast().body());
        assertThat(json(other).get("position").intValue()).isEqualTo(2);
        assertThat(queue(chat, "two").statusCode()).isEqualTo(409); // the id is in use
        assertThat(queue(chat, "one").statusCode()).isEqualTo(409);
        first.answers("1");
        sandbox.next().answers("2");
        sandbox.next().answers("other");
    }

    private HttpResponse<String> keyed(Map<String, ?> body, String key) throws Exception {
        return server.send(
                server.request(SEND)
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build());
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
        }
        return results;
    }
}
