package dev.satchel.server.configuration;

/** A value that must not reach a log by accident. */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }
}
