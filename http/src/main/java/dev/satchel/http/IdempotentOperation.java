package dev.satchel.http;

/**
 * What a request does at most once, however often it is sent. The handler gives this id to what it
 * creates and then calls {@code begun}, so that repeated requests can find it.
 */
public record IdempotentOperation(String id, Runnable begun) {}
