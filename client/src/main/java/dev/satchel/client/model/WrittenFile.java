package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The outcome for a file that was written into a workspace. */
public record WrittenFile(
        String path, boolean written, @Nullable Long size, @Nullable String error, JsonNode json)
        implements ServerObject {}
