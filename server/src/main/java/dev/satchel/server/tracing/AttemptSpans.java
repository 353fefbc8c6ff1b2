package dev.satchel.server.tracing;

import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.run.Run;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one attempt of a run, from the lines of its runner. The names of models, agents and
 * tools follow the conventions of OpenTelemetry for generative models; no text of people, models or
 * tools is recorded. Thread-safe.
 */
final class AttemptSpans {
    private static final int MAX_OPEN_STEPS = 1_000;
    private static final int MAX_NAME = 200;
    private static final String OPERATION = "gen_ai.operation.name";

    private final Run run;
    private final TraceContext context;
    private final Clock clock;
    private final Instant start;
    private final Duration waited;
    private final Map<String, OpenStep> steps = new HashMap<>(); // guarded by this, as all below
    private Instant roundStart;
    private String outcome = "released";
    private @Nullable String error;

    private record OpenStep(String name, Instant start) {}

    AttemptSpans(Run run, TraceContext context, Clock clock, Duration waited) {
        this.run = run;
        this.context = context;
        this.clock = clock;
        this.waited = waited;
        this.start = clock.instant();
        this.roundStart = start;
    }

    boolean isOf(Run other) {
        return run.generation() == other.generation();
    }

    /** The span that ends with a line. */
    synchronized Optional<Span> line(SandboxLine line) {
        Instant time = line.ts() == null ? clock.instant() : Instant.ofEpochMilli(line.ts());
        return switch (line) {
            case StepStarted step -> {
                if (steps.size() < MAX_OPEN_STEPS) {
                    steps.put(step.id(), new OpenStep(shortened(step.name()), time));
                }
                yield Optional.empty();
            }
            case StepEnded step -> {
                roundStart = time;
                yield Optional.ofNullable(steps.remove(step.id()))
                        .map(open -> tool(step.id(), open, time, failure(step)));
            }
            case Usage usage -> {
                Span call = call(usage, time);
                roundStart = time;
                yield Optional.of(call);
            }
            case SandboxLine.Retry retry -> {
                Span failed = failedCall(time, retry.code());
                roundStart = time.plusMillis(retry.delayMs());
                yield Optional.of(failed);
            }
            case SandboxLine.Log _ -> {
                if (steps.isEmpty()) {
                    roundStart = time; // the phases before the agent
                }
                yield Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    private static @Nullable String failure(StepEnded step) {
        return step.status() == StepEnded.Outcome.FAILED ? "tool_failed" : null;
    }

    private Span tool(String id, OpenStep step, Instant end, @Nullable String failure) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(OPERATION, "execute_tool");
        attributes.put("gen_ai.tool.name", step.name());
        attributes.put("gen_ai.tool.call.id", shortened(id));
        return new Span(
                context.child(),
                Span.Kind.INTERNAL,
                "execute_tool " + step.name(),
                step.start(),
                end,
                attributes,
                failure);
    }

    private Span call(Usage usage, Instant end) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        String model = shortened(usage.model());
        attributes.put(OPERATION, "chat");
        attributes.put("gen_ai.request.model", model);
        if (usage.provider() != null) {
            attributes.put("gen_ai.provider.name", shortened(usage.provider()));
        }
        long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
        attributes.put("gen_ai.usage.input_tokens", input);
        attributes.put("gen_ai.usage.output_tokens", usage.outputTokens());
        attributes.put("gen_ai.usage.cache_read.input_tokens", usage.cacheReadTokens());
        attributes.put("gen_ai.usage.cache_creation.input_tokens", usage.cacheWriteTokens());
        attributes.put("gen_ai.conversation.id", run.conversation().value());
        return new Span(
                context.child(),
                Span.Kind.CLIENT,
                "chat " + model,
                roundStart,
                end,
                attributes,
                null);
    }

    private Span failedCall(Instant end, String code) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(OPERATION, "chat");
        RunConfig.Model model = run.setup().model();
        String id = model == null ? null : model.id();
        if (id != null) {
            attributes.put("gen_ai.request.model", id);
        }
        return new Span(
                context.child(),
                Span.Kind.CLIENT,
                id == null ? "chat" : "chat " + id,
                roundStart,
                end,
                attributes,
                shortened(code));
    }

    Span snapshot(Duration duration, boolean isKept) {
        return Span.ended(
                context.child(),
                Span.Kind.INTERNAL,
                "snapshot",
                clock.instant(),
                duration,
                Map.of("satchel.chat.id", run.conversation().value()),
                isKept ? null : "workspace_pending");
    }

    /** How the attempt has ended; the first outcome counts. */
    synchronized void end(String how, @Nullable String code) {
        if (outcome.equals("released")) {
            outcome = how;
            error = code == null ? null : shortened(code);
        }
    }

    /** The steps that have not ended. */
    synchronized List<Span> unfinished() {
        Instant now = clock.instant();
        return steps.entrySet().stream()
                .map(step -> tool(step.getKey(), step.getValue(), now, "unfinished"))
                .toList();
    }

    /** The span of the attempt, which ends now. */
    synchronized Span whole() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(OPERATION, "invoke_agent");
        attributes.put("gen_ai.conversation.id", run.conversation().value());
        attributes.put("satchel.run.id", run.id().value());
        attributes.put("satchel.chat.id", run.conversation().value());
        attributes.put("satchel.run.attempt", run.attempt());
        attributes.put("satchel.run.outcome", outcome);
        if (run.attempt() == 1) {
            attributes.put("satchel.run.waited_ms", waited.toMillis());
        }
        AgentId agent = run.agentId();
        if (agent != null) {
            attributes.put("gen_ai.agent.id", agent.value());
        }
        return new Span(
                context, Span.Kind.INTERNAL, "turn", start, clock.instant(), attributes, error);
    }

    private static String shortened(String name) {
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
    }
}
