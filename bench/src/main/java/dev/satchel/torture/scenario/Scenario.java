package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;

/** One kind of fault; the invariants afterwards are the same for all. */
public interface Scenario {
    String name();

    /** Whether a brief run takes less than about 30 seconds, so that the tests include it. */
    default boolean isShort() {
        return true;
    }

    /** Injects the fault once and runs the {@link InvariantChecks}. */
    void run(ScenarioContext context) throws Exception;
}
