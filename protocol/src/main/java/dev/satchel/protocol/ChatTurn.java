package dev.satchel.protocol;

/** One earlier message, flattened to text; {@code ts} is Unix epoch milliseconds. */
public record ChatTurn(String role, String content, long ts) {}
