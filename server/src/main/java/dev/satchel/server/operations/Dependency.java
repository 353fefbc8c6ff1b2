package dev.satchel.server.operations;

/**
 * A part that the server needs. Without a required one it cannot serve; without an optional one it
 * serves everything that does not need that part.
 */
public record Dependency(String name, Probe probe, boolean isRequired) {
    public Dependency(String name, Probe probe) {
        this(name, probe, true);
    }

    public static Dependency optional(String name, Probe probe) {
        return new Dependency(name, probe, false);
    }

    /** Returns when the dependency answers, throws when it does not. */
    @FunctionalInterface
    public interface Probe {
        void run() throws Exception;
    }
}
