package dev.satchel.server.application;

/** How a log line looks; logback.xml reads the same variable. */
public enum LogFormat {
    TEXT,
    JSON
}
