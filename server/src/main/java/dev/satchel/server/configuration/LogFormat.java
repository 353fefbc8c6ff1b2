package dev.satchel.server.configuration;

/** The format of log lines; {@link LoggingSetup} reads the same variable. */
public enum LogFormat {
    TEXT,
    JSON
}
