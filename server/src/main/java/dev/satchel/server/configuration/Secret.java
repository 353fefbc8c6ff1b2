package dev.satchel.server.configuration;

/** A secret value, which {@code toString} does not show. */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }
}
