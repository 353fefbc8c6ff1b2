package dev.satchel.bench.report;

import org.jspecify.annotations.Nullable;

/** The reference, measured in the same rounds; without values it is not installed here. */
public record Anchor(String name, @Nullable RoundValues series) {
    String show() {
        RoundValues measured = series;
        return measured == null ? "no " + name + " here" : measured.show() + " " + name;
    }
}
