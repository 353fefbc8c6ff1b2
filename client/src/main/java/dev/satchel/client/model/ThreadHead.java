package dev.satchel.client.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The active path of a chat after a switch.
 *
 * @param headId its last message
 * @param messageCount how many messages it has
 * @param undo the snapshot that has the files of before; null if there were none
 */
public record ThreadHead(String headId, long messageCount, @Nullable String undo, JsonNode json)
        implements ServerObject {}
