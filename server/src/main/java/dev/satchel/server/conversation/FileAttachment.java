package dev.satchel.server.conversation;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A bag file as a message shows it, without its storage key. A file that a run handed in has its
 * path in {@code assets/}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FileAttachment(
        String id, String name, String mimeType, long size, String sha256, @Nullable String path) {}
