package dev.satchel.torture.harness;

import dev.satchel.protocol.Json;
import dev.satchel.torture.harness.TestClient.NumberedEvent;
import dev.satchel.torture.harness.TestClient.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One turn as a client that never gives up receives it: what is refused for a while is sent again
 * with its key, a broken stream continues at its last number, on any server. For one thread until
 * the turn has ended.
 */
public final class FollowedTurn implements Consumer<NumberedEvent> {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int CONFLICT = 409;

    private final String chat;
    private final TurnEventRecorder recorder;
    private final List<NumberedEvent> received = new ArrayList<>();
    private volatile String run = "";
    private boolean ended;
    private volatile long resumedNanos;

    /** A turn that writes nothing which must be there later. */
    public static FollowedTurn of(String chat, AcknowledgedWrites writes, EventCounts counts) {
        return new FollowedTurn(chat, new TurnEventRecorder(chat, "", writes, counts));
    }

    FollowedTurn(String chat, TurnEventRecorder recorder) {
        this.chat = chat;
        this.recorder = recorder;
    }

    /** False if the turn was refused, or neither ended nor waits for a person in time. */
    public boolean send(Supplier<TestClient> clients, String message) throws InterruptedException {
        ended = false;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!ended && System.nanoTime() < deadline) {
            try (TestClient client = clients.get()) {
                if (run.isEmpty()) {
                    client.repeatableTurn(chat, recorder.question(), message, this);
                } else {
                    client.events(run, received.getLast().id(), this);
                }
            } catch (RefusedException e) {
                if (e.status() < 500 && e.status() != CONFLICT) {
                    recorder.refused(e.status());
                    return false;
                }
                Thread.sleep(RETRY);
            } catch (IOException e) {
                Thread.sleep(RETRY);
            }
        }
        return ended;
    }

    @Override
    public void accept(NumberedEvent event) {
        JsonNode data = Json.MAPPER.readTree(event.data());
        String type = data.get("type").stringValue();
        ended |= type.equals("end");
        if (data.path("status").asString("").equals("waiting")) {
            return; // not in the log: the turn goes on when a person has answered
        }
        recorder.accept(data);
        received.add(event);
        if (run.isEmpty()) {
            run = data.get("runId").stringValue();
        }
        if (type.equals("resumed")) {
            resumedNanos = System.nanoTime();
        }
    }

    /** When the last attempt that continued the turn was shown; 0 if there was none. */
    public long resumedNanos() {
        return resumedNanos;
    }

    /** The id of its run; empty until the turn is accepted. */
    public String run() {
        return run;
    }

    boolean isAccepted() {
        return !run.isEmpty();
    }

    /** A second sending of the same request is the same run. */
    void requireOneRun(TestClient client, String message) throws IOException, InterruptedException {
        List<NumberedEvent> again = new ArrayList<>();
        client.repeatableTurn(chat, recorder.question(), message, again::add);
        InvariantChecks.require(
                again.isEmpty() || again.getFirst().data().contains(run),
                "a repeated request has started another run than " + run);
    }

    /** Everything that was received is in the log, once and in the same order. Returns the log. */
    public List<NumberedEvent> requireLogged(TestClient client)
            throws IOException, InterruptedException {
        List<NumberedEvent> logged = new ArrayList<>();
        client.events(run, "0", logged::add);
        InvariantChecks.require(
                logged.size() >= received.size()
                        && logged.subList(0, received.size()).equals(received)
                        && (!ended || logged.size() == received.size()),
                "a stream differs from the log of run %s: received %s, stored %s"
                        .formatted(run, received, logged));
        return logged;
    }
}
