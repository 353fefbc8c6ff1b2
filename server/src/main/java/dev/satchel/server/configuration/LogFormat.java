package dev.satchel.server.configuration;

/** How a log line looks; {@link LoggingSetup} reads the same variable. */
public enum LogFormat {
    TEXT,
    JSON
}
