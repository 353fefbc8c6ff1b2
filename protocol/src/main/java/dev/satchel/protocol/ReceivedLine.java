package dev.satchel.protocol;

import tools.jackson.databind.node.ObjectNode;

/** A line and its fields that this version does not know, which are passed on. */
public record ReceivedLine(SandboxLine line, ObjectNode unknown) {}
