package dev.satchel.server.conversation;

/** A bag file as a message shows it; the storage key stays with us. */
public record FileAttachment(String id, String name, String mimeType, long size, String sha256) {}
