package dev.satchel.torture.model;

import static dev.satchel.torture.harness.InvariantChecks.require;

import dev.satchel.protocol.Json;
import dev.satchel.torture.harness.EventCounts;
import dev.satchel.torture.harness.FollowedTurn;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestClient.NumberedEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A turn of an {@link EffectPlan} in a chat of its own, which is followed to its end. */
public final class EffectTurn {
    private static final Pattern EFFECT = Pattern.compile("effect-[0-9]+-[ab]");

    private final String chat;
    private final String task = "task-" + UUID.randomUUID();
    private final FollowedTurn turn;
    private Thread reader = Thread.currentThread();

    private EffectTurn(String chat, FollowedTurn turn) {
        this.chat = chat;
        this.turn = turn;
    }

    /** Not sent yet. */
    public static EffectTurn in(String chat, FollowedTurn turn) {
        return new EffectTurn(chat, turn);
    }

    public String task() {
        return task;
    }

    public FollowedTurn turn() {
        return turn;
    }

    /** Sends the message and reads the events on a thread of its own. */
    public void start(Supplier<TestClient> clients) {
        reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        boolean _ = turn.send(clients, "Work on " + task + ".");
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
    }

    /** Waits until the turn has ended or its client has given up. */
    public void await() throws InterruptedException {
        reader.join();
    }

    /**
     * The turn has succeeded, no effect has happened twice, none of a finished call is missing, no
     * more calls are in doubt than attempts were lost, and the model was asked once for every reply
     * that an attempt before had stored.
     *
     * @param lost how many attempts may have been lost without notice
     * @param counted the effects that were counted outside of the workspace
     */
    public void check(
            TestClient client,
            ModelServer model,
            EventCounts counts,
            int lost,
            List<String> counted)
            throws IOException, InterruptedException {
        List<JsonNode> events =
                turn.requireLogged(client).stream()
                        .map(NumberedEvent::data)
                        .map(Json.MAPPER::readTree)
                        .toList();
        counts.add("streams found as they are logged");
        String status = events.getLast().path("status").asString("");
        require(
                status.equals("succeeded"),
                "the turn of %s ended %s".formatted(task, events.getLast()));
        List<String> effects = new ArrayList<>(counted);
        byte[] file = client.workspaceFile(chat, EffectPlan.EFFECTS);
        new String(file, StandardCharsets.UTF_8).lines().forEach(effects::add);
        checkEffects(effects, events, counts, lost);
        checkRequests(model, events, counts);
        counts.add("model turns succeeded");
    }

    private void checkEffects(
            List<String> lines, List<JsonNode> events, EventCounts counts, int lost) {
        Map<String, String> commands = new HashMap<>();
        int inDoubt = 0;
        for (JsonNode step : events) {
            String type = step.path("type").asString("");
            if (!type.equals("step")) {
                continue;
            }
            String id = step.get("id").stringValue();
            Matcher effect = EFFECT.matcher(step.path("args").toString());
            if (effect.find()) {
                commands.put(id, effect.group());
            }
            String status = step.get("status").stringValue();
            String command = commands.getOrDefault(id, "");
            if (status.equals("failed")) {
                inDoubt++;
            } else if (status.equals("succeeded") && !command.isEmpty()) {
                require(
                        Collections.frequency(lines, command) == 1,
                        "%s of %s stands not once in %s".formatted(command, chat, lines));
                counts.add("effects of finished calls found once");
            }
        }
        require(
                lines.size() == Set.copyOf(lines).size(),
                "effects have happened twice in %s: %s".formatted(chat, lines));
        require(inDoubt <= lost, "%d calls of %s are in doubt".formatted(inDoubt, task));
        counts.add("calls in doubt, which were not repeated", inDoubt);
    }

    /** A reply is stored before its usage is shown. */
    private void checkRequests(ModelServer model, List<JsonNode> events, EventCounts counts) {
        List<Integer> asked = model.asked(task);
        int round = 0;
        int attempts = 1;
        for (JsonNode event : events) {
            String type = event.path("type").asString("");
            if (type.equals("usage")) {
                int times = Collections.frequency(asked, round);
                require(
                        times >= 1 && times <= attempts,
                        "round %d of %s was asked %d times".formatted(round, task, times));
                round++;
            }
            if (type.equals("resumed")) {
                attempts++;
                int done = round;
                require(
                        attempts > 2 || asked.stream().filter(it -> it < done).count() == done,
                        "finished replies of %s were asked again: %s".formatted(task, asked));
            }
        }
        require(
                asked.size() <= round + attempts - 1,
                "%s has %d replies and asked %s".formatted(task, round, asked));
        counts.add("attempts that continued a turn", attempts - 1L);
        counts.add("replies of the model", round);
        counts.add("requests for replies that were cut off", asked.size() - round);
    }
}
