package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;

/** One way to break the system; what must hold afterwards is the same for all. */
public interface Scenario {
    String name();

    /** Breaks it once and has the {@link InvariantChecks} checked. */
    void play(ScenarioContext arena) throws Exception;
}
