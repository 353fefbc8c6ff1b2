package dev.satchel.client;

/** Whether there was something to cancel. */
record CancelResponse(boolean cancelled) {}
