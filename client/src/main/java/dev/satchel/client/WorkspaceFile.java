package dev.satchel.client;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;

/** A file of the directory that an agent works in. */
public record WorkspaceFile(
        String path, long size, @JsonFormat(shape = JsonFormat.Shape.STRING) Instant modifiedAt) {}
