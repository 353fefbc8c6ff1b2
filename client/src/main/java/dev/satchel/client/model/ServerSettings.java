package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;

/** The model that answers and the limits for files; without a model the offline agent answers. */
public record ServerSettings(String version, String runner, @Nullable Model model, Limits limits) {

    public record Model(String provider, String name) {}

    public record Limits(long maxFileBytes, int maxFiles, long maxBytes) {}
}
