package dev.satchel.torture;

/** One way to break the system; what must hold afterwards is the same for all. */
interface Scenario {
    String name();

    /** Breaks it once and has the {@link Invariants} checked. */
    void play(Arena arena) throws Exception;
}
