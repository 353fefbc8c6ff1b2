package dev.satchel.server.usage;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;

/** Counts calls, tokens and retries. Every label has few values: no name that a tenant chose. */
public final class ModelMetrics {
    private static final Set<String> CODES =
            Set.of(
                    "model_timeout",
                    "model_auth",
                    "model_rate_limited",
                    "model_error",
                    "model_refused",
                    "context_overflow",
                    "model_not_configured");

    private static final double MICROS_PER_DOLLAR = 1e6;

    private final MeterRegistry registry;

    public ModelMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** {@code costMicros} is 0 for a model without a price. */
    void succeeded(String model, TokenCounts tokens, long costMicros) {
        calls(model, "succeeded");
        Counter.builder("satchel.model.cost")
                .description("Cost of calls of models with a price, in US dollars")
                .baseUnit("dollars")
                .tag("model", model)
                .register(registry)
                .increment(costMicros / MICROS_PER_DOLLAR);
        tokens(model, "input", tokens.input());
        tokens(model, "output", tokens.output());
        tokens(model, "cache_read", tokens.cacheRead());
        tokens(model, "cache_write", tokens.cacheWrite());
    }

    void retried(String model, String code) {
        calls(model, "retried");
        Counter.builder("satchel.model.retries")
                .description("Calls of models that failed and were repeated")
                .tag("model", model)
                .tag("outcome", CODES.contains(code) ? code : "other")
                .register(registry)
                .increment();
    }

    /** Runs also fail for reasons that are no model's. */
    void failed(String model, String code) {
        if (CODES.contains(code)) {
            calls(model, code);
        }
    }

    private void calls(String model, String outcome) {
        Counter.builder("satchel.model.calls")
                .description("Calls of models by outcome; a failed one has the code of the error")
                .tag("model", model)
                .tag("outcome", outcome)
                .register(registry)
                .increment();
    }

    private void tokens(String model, String kind, long count) {
        Counter.builder("satchel.model.tokens")
                .description("Tokens of successful calls of models, by kind")
                .tag("model", model)
                .tag("kind", kind)
                .tag("outcome", "succeeded")
                .register(registry)
                .increment((double) count);
    }
}
