package dev.satchel.protocol;

/**
 * A file that a run left in {@code assets/} and that did not reach the conversation: its path in
 * the workspace, its size in bytes and the reason.
 */
public record NotHandedOver(String path, long size, String reason) {}
