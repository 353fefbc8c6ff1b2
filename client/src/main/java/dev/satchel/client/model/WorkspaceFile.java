package dev.satchel.client.model;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A file of the directory that an agent works in. */
public record WorkspaceFile(String path, long size, Instant modifiedAt, JsonNode json)
        implements ServerObject {}
