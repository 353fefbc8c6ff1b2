package dev.satchel.server.conversation;

/** A bag file as a message shows it, without its storage key. */
public record FileAttachment(String id, String name, String mimeType, long size, String sha256) {}
