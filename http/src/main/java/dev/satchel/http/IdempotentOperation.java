package dev.satchel.http;

/**
 * What a request does at most once, however often it is sent: what it makes takes this id, and says
 * {@code begun} when it is there, so that repeats can join it while it lasts.
 */
public record IdempotentOperation(String id, Runnable begun) {}
