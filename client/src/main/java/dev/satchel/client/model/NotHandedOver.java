package dev.satchel.client.model;

/** A file that a run made and that stays in its workspace: path there, size and reason. */
public record NotHandedOver(String path, long size, String reason) {}
