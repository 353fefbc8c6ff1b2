package dev.satchel.server.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.runlog.RunEvent.Answered;
import dev.satchel.server.runlog.RunEvent.Asked;
import dev.satchel.server.runlog.RunEvent.Ended;
import dev.satchel.server.runlog.RunEvent.Failed;
import dev.satchel.server.runlog.RunEvent.Logged;
import dev.satchel.server.runlog.RunEvent.ModelUsed;
import dev.satchel.server.runlog.RunEvent.Queued;
import dev.satchel.server.runlog.RunEvent.Resumed;
import dev.satchel.server.runlog.RunEvent.Retried;
import dev.satchel.server.runlog.RunEvent.Started;
import dev.satchel.server.runlog.RunEvent.Steered;
import dev.satchel.server.runlog.RunEvent.StepFailed;
import dev.satchel.server.runlog.RunEvent.StepPrinted;
import dev.satchel.server.runlog.RunEvent.StepStarted;
import dev.satchel.server.runlog.RunEvent.StepSucceeded;
import dev.satchel.server.runlog.RunEvent.TextDelta;
import dev.satchel.server.runlog.RunEvent.ThinkingDelta;
import dev.satchel.server.runlog.RunEvent.Unknown;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** {@code /api/sessions/{id}/events} and {@code /logs}: the events and log messages of its runs. */
public final class TimelineRoutes {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final Set<String> TYPES =
            Set.of(
                    "text",
                    "tool_start",
                    "tool_result",
                    "reasoning",
                    "error",
                    "turn_complete",
                    "lifecycle");

    private final SessionTimeline timeline;
    private final SessionLookup lookup;
    private final Authentication access;

    public TimelineRoutes(SessionTimeline timeline, SessionLookup lookup, Authentication access) {
        this.timeline = timeline;
        this.lookup = lookup;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/events",
                access.requireCaller(Permission.READ_CHATS, this::events));
        router.get(
                "/api/sessions/{id}/logs", access.requireCaller(Permission.READ_CHATS, this::logs));
    }

    /** An event as its clients get it; {@code data} is JSON in a string. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record Event(
            String id,
            String sessionId,
            String tenantId,
            String type,
            String data,
            long sequence,
            String createdAt) {}

    private record Log(long index, String level, String text, String ts) {}

    private void events(Exchange exchange, Caller caller) {
        SessionLookup.id(exchange);
        Optional<String> type = exchange.query("type");
        if (type.isPresent() && !TYPES.contains(type.get())) {
            throw SessionErrors.invalid("querystring/type is not a known event type");
        }
        int limit = SessionRoutes.number(exchange, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        long after = after(exchange);
        Conversation session = lookup.find(exchange, caller);
        List<Event> found =
                timeline.read(
                        session.id(),
                        after,
                        limit,
                        entry ->
                                events(session, entry).stream()
                                        .filter(event -> event.sequence() > after)
                                        .filter(
                                                event ->
                                                        type.orElse(event.type())
                                                                .equals(event.type()))
                                        .toList());
        exchange.json(200, Map.of("events", found.subList(0, Math.min(limit, found.size()))));
    }

    private void logs(Exchange exchange, Caller caller) {
        SessionLookup.id(exchange);
        long after = after(exchange);
        Conversation session = lookup.find(exchange, caller);
        List<Log> found = timeline.read(session.id(), after, MAX_LIMIT, entry -> log(entry, after));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("logs", found.subList(0, Math.min(MAX_LIMIT, found.size())));
        body.put("source", "sandbox");
        exchange.json(200, body);
    }

    private static List<Log> log(SessionTimeline.Entry entry, long after) {
        if (entry.position(0) <= after) {
            return List.of();
        }
        return switch (entry.event()) {
            case Logged logged -> List.of(log(entry, "system", logged.message()));
            case Failed failed -> List.of(log(entry, "stderr", failed.message()));
            case StepPrinted step -> List.of(log(entry, step.stream(), step.text()));
            case Retried retried -> List.of(log(entry, "system", retried.message()));
            case Resumed resumed ->
                    List.of(log(entry, "system", "continued, attempt " + resumed.attempt()));
            case Queued queued ->
                    List.of(log(entry, "system", "waiting, place " + queued.position()));
            case Started _,
                    TextDelta _,
                    ThinkingDelta _,
                    ModelUsed _,
                    Asked _,
                    Steered _,
                    StepStarted _,
                    StepSucceeded _,
                    StepFailed _,
                    Answered _,
                    Ended _,
                    Unknown _ ->
                    List.of();
        };
    }

    private static Log log(SessionTimeline.Entry entry, String level, String text) {
        return new Log(entry.position(0), level, text, entry.time());
    }

    private static List<Event> events(Conversation session, SessionTimeline.Entry entry) {
        return switch (entry.event()) {
            case StepStarted step -> {
                Map<String, Object> data = tool(step.name(), step.id());
                data.put("input", step.args());
                yield List.of(event(session, entry, 0, "tool_start", data));
            }
            case StepSucceeded step -> {
                Map<String, Object> data = tool(step.name(), step.id());
                data.put("stdout", SessionEventEncoder.text(step.result()));
                yield List.of(event(session, entry, 0, "tool_result", data));
            }
            case StepFailed step -> {
                Map<String, Object> data = tool(step.name(), step.id());
                data.put("stderr", step.error());
                yield List.of(event(session, entry, 0, "tool_result", data));
            }
            case Failed failed ->
                    List.of(event(session, entry, 0, "error", Map.of("error", failed.message())));
            case Answered answer ->
                    List.of(
                            event(session, entry, 0, "text", Map.of("text", answer.message())),
                            event(session, entry, 1, "turn_complete", result(answer)));
            case ThinkingDelta thinking ->
                    List.of(event(session, entry, 0, "reasoning", Map.of("text", thinking.text())));
            case Retried retried -> List.of(event(session, entry, 0, "lifecycle", retry(retried)));
            case Asked asked ->
                    List.of(
                            event(
                                    session,
                                    entry,
                                    0,
                                    "lifecycle",
                                    Map.of("action", "ask", "ask", asked.line())));
            case Steered steered ->
                    List.of(
                            event(
                                    session,
                                    entry,
                                    0,
                                    "lifecycle",
                                    Map.of("action", "steer", "text", steered.text())));
            case Resumed resumed -> List.of(event(session, entry, 0, "lifecycle", resume(resumed)));
            case Queued queued ->
                    List.of(
                            event(
                                    session,
                                    entry,
                                    0,
                                    "lifecycle",
                                    Map.of("action", "queued", "position", queued.position())));
            case Started _, Logged _, TextDelta _, StepPrinted _, ModelUsed _, Ended _, Unknown _ ->
                    List.of();
        };
    }

    /** The reasoning since the last step is withdrawn. */
    private static Map<String, Object> retry(Retried retried) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("action", "retry");
        data.put("attempt", retried.attempt());
        data.put("delayMs", retried.delayMs());
        data.put("code", retried.code());
        data.put("message", retried.message());
        if (retried.model() != null) {
            data.put("model", retried.model());
        }
        return data;
    }

    /** Withdraws as a retry does. */
    private static Map<String, Object> resume(Resumed resumed) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("action", "resumed");
        data.put("attempt", resumed.attempt());
        return data;
    }

    private static Map<String, Object> result(Answered answer) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("result", answer.message());
        if (answer.stopped() != null) {
            data.put("stopped", answer.stopped());
        }
        if (answer.usage() != null) {
            data.put("usage", answer.usage());
        }
        if (!answer.notHandedOver().isEmpty()) {
            data.put("notHandedOver", answer.notHandedOver());
        }
        if (answer.workspace() != null) {
            data.put("workspace", answer.workspace());
        }
        return data;
    }

    private static Map<String, Object> tool(String name, String id) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("toolName", name);
        data.put("toolId", id);
        return data;
    }

    private static Event event(
            Conversation session,
            SessionTimeline.Entry entry,
            int offset,
            String type,
            Map<String, Object> data) {
        long position = entry.position(offset);
        String name = session.id().value() + ":" + position;
        return new Event(
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString(),
                session.id().value(),
                session.tenant().value(),
                type,
                Json.MAPPER.writeValueAsString(data),
                position,
                entry.time());
    }

    private static long after(Exchange exchange) {
        String given = exchange.query("after").orElse("0");
        try {
            long after = Long.parseLong(given);
            if (after >= -1) { // a client that has read nothing may say -1
                return Math.max(after, 0);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw SessionErrors.invalid("querystring/after must be the sequence of an earlier event");
    }
}
