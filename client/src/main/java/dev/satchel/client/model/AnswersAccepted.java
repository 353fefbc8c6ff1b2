package dev.satchel.client.model;

/** The run after answers: {@code running}, or {@code waiting} while more asks are open. */
public record AnswersAccepted(String runId, String status, int open) {}
