package dev.satchel.server.usage;

import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.model.ModelPrice;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.RegisteredModel;
import dev.satchel.server.run.Run;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes calls with their cost from the lines of runs, and counts them. */
public final class ModelCallRecorder {
    private static final int MAX_NAME = 200;
    private static final String OTHER = "other";

    private final ModelRegistry models;
    private final ModelMetrics metrics;
    private final Clock clock;

    public ModelCallRecorder(ModelRegistry models, ModelMetrics metrics, Clock clock) {
        this.models = models;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** The call that a line reports; null for every other line. */
    public @Nullable ModelCallUsage observe(Run run, SandboxLine line) {
        return switch (line) {
            case SandboxLine.Usage usage -> call(run, usage);
            case SandboxLine.Retry retry -> {
                metrics.retried(label(run), retry.code());
                yield null;
            }
            case SandboxLine.Failure failure -> {
                metrics.failed(label(run), failure.code());
                yield null;
            }
            default -> null;
        };
    }

    private ModelCallUsage call(Run run, SandboxLine.Usage line) {
        Optional<RegisteredModel> model = find(run, line);
        TokenCounts tokens = TokenCounts.of(line);
        ModelPrice price = model.map(RegisteredModel::price).orElse(null);
        Long cost =
                price == null
                        ? null
                        : price.costMicros(
                                tokens.input(),
                                tokens.output(),
                                tokens.cacheRead(),
                                tokens.cacheWrite());
        metrics.succeeded(
                model.map(RegisteredModel::id).orElse(OTHER), tokens, cost == null ? 0 : cost);
        return new ModelCallUsage(
                run.tenant(),
                run.conversation(),
                run.agentId(),
                model.map(RegisteredModel::id).orElse(shortened(line.model())),
                tokens,
                cost,
                clock.millis());
    }

    /**
     * The model of a line, by id or by the name at the provider. Only a run with a model of the
     * registry can call one: a tenant may give a model of its own any name.
     */
    private Optional<RegisteredModel> find(Run run, SandboxLine.Usage line) {
        for (RunConfig.Model model = run.setup().model(); model != null; model = model.fallback()) {
            String id = model.id();
            if (id != null && (line.model().equals(id) || line.model().equals(model.name()))) {
                return models.find(id);
            }
        }
        return Optional.empty();
    }

    /** A line without a name counts for the model that the run asked for. */
    private String label(Run run) {
        RunConfig.Model model = run.setup().model();
        String id = model == null ? null : model.id();
        return id == null ? OTHER : models.find(id).map(RegisteredModel::id).orElse(OTHER);
    }

    private static String shortened(String name) {
        String clean = name.replace('\0', ' ');
        return clean.length() <= MAX_NAME ? clean : clean.substring(0, MAX_NAME);
    }
}
