package dev.satchel.bench.report;

import org.jspecify.annotations.Nullable;

/**
 * What ours is measured against, in the same rounds; without a series it is not on this machine.
 */
public record Anchor(String name, @Nullable RoundValues series) {
    String show() {
        RoundValues measured = series;
        return measured == null ? "no " + name + " here" : measured.show() + " " + name;
    }
}
