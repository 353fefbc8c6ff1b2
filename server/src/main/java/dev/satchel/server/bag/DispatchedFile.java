package dev.satchel.server.bag;

import org.jspecify.annotations.Nullable;

/**
 * A bag file as a run receives it.
 *
 * @param path of its copy in the workspace; null if there is none
 */
public record DispatchedFile(
        String id, String name, long size, String sha256, String mimeType, @Nullable String path) {}
