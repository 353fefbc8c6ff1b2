package dev.satchel.server.operations;

/** Something the server cannot do its work without. */
public record Dependency(String name, Probe probe) {
    /** Returns when the dependency answers, throws when it does not. */
    @FunctionalInterface
    public interface Probe {
        void run() throws Exception;
    }
}
