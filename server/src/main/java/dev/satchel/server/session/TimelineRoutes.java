package dev.satchel.server.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** {@code /api/sessions/{id}/events} and {@code /logs}: what the runs of a session have said. */
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
        router.get("/api/sessions/{id}/events", access.required(this::events));
        router.get("/api/sessions/{id}/logs", access.required(this::logs));
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
            throw SessionErrors.invalid("querystring/type is none that an event can have");
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
                                told(session, entry).stream()
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
        boolean error = entry.line().type().equals("error");
        if (entry.place(0) <= after || !(error || entry.line().type().equals("log"))) {
            return List.of();
        }
        JsonNode body = entry.body();
        return List.of(
                new Log(
                        entry.place(0),
                        error ? "stderr" : "system",
                        body.path("message").stringValue(""),
                        entry.time(body)));
    }

    private static List<Event> told(Conversation session, SessionTimeline.Entry entry) {
        return switch (entry.line().type()) {
            case "step" -> List.of(step(session, entry));
            case "error" ->
                    List.of(event(session, entry, 0, "error", member(entry, "message", "error")));
            case "result" ->
                    List.of(
                            event(session, entry, 0, "text", member(entry, "message", "text")),
                            event(
                                    session,
                                    entry,
                                    1,
                                    "turn_complete",
                                    member(entry, "message", "result")));
            default -> List.of(); // pieces of an answer, and what only the trace shows
        };
    }

    private static Event step(Conversation session, SessionTimeline.Entry entry) {
        JsonNode line = entry.body();
        String status = line.path("status").stringValue("");
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("toolName", line.path("name").stringValue(""));
        data.put("toolId", line.path("id").stringValue(""));
        if (status.equals("running")) {
            data.put("input", line.path("args"));
            return event(session, entry, 0, "tool_start", data);
        }
        boolean failed = status.equals("failed");
        JsonNode outcome = line.path(failed ? "error" : "result");
        data.put(
                failed ? "stderr" : "stdout",
                outcome.isString() ? outcome.stringValue() : outcome.toString());
        return event(session, entry, 0, "tool_result", data);
    }

    private static Map<String, Object> member(SessionTimeline.Entry entry, String from, String as) {
        return Map.of(as, entry.body().path(from).stringValue(""));
    }

    private static Event event(
            Conversation session,
            SessionTimeline.Entry entry,
            int behind,
            String type,
            Map<String, Object> data) {
        long place = entry.place(behind);
        String name = session.id().value() + ":" + place;
        return new Event(
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString(),
                session.id().value(),
                session.tenant().value(),
                type,
                Json.MAPPER.writeValueAsString(data),
                place,
                entry.time(entry.body()));
    }

    private static long after(Exchange exchange) {
        String given = exchange.query("after").orElse("0");
        try {
            long after = Long.parseLong(given);
            if (after >= 0) {
                return after;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw SessionErrors.invalid("querystring/after must be a place that was told before");
    }
}
