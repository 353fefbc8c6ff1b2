package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The message, as JSON, of the {@code result} of a run that was one command. */
public record CommandOutcome(
        @JsonProperty("exitCode") int exitCode,
        @JsonProperty("stdout") String stdout,
        @JsonProperty("stderr") String stderr) {}
