package dev.satchel.server.application;

/** How a log line looks; {@link Logging} reads the same variable. */
public enum LogFormat {
    TEXT,
    JSON
}
