package dev.satchel.server.run;

import dev.satchel.protocol.SandboxLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Is told what happens to the runs of this server. It is called on the thread of the run, after the
 * commit of what it is told, and returns at once. May be used by several threads.
 */
public interface RunObserver {
    RunObserver NONE = new RunObserver() {};

    /** An attempt of a run is executed here; its first one has waited this long for its place. */
    default void started(Run run, Duration waited) {}

    /** A sandbox or a runner has accepted the run, after this time. */
    default void dispatched(Run run, Duration duration) {}

    /** The runner has sent a line. */
    default void line(Run run, SandboxLine line) {}

    /** The snapshot after a run took this time; without success the files are pending. */
    default void saved(Run run, Duration duration, boolean isKept) {}

    /** Another process has the run, because this one has lost its lease. */
    default void leaseLost(Run run) {}

    /** The next attempt of a run is stored. */
    default void continued(Run run, String cause) {}

    /** The run waits for people. */
    default void parked(Run run) {}

    /** The run has ended; the code is empty for a run that has succeeded. */
    default void ended(Run run, RunStatus status, String code) {}

    /** The attempt is no longer executed here, whatever was told before; always told last. */
    default void left(Run run) {}

    /** The header that tells a runner the trace of the attempt; empty without traces. */
    default Optional<String> traceparent(Run run) {
        return Optional.empty();
    }

    /** Tells each of several observers. */
    static RunObserver of(List<RunObserver> observers) {
        List<RunObserver> all = List.copyOf(observers);
        return new RunObserver() {
            @Override
            public void started(Run run, Duration waited) {
                all.forEach(it -> it.started(run, waited));
            }

            @Override
            public void dispatched(Run run, Duration duration) {
                all.forEach(it -> it.dispatched(run, duration));
            }

            @Override
            public void line(Run run, SandboxLine line) {
                all.forEach(it -> it.line(run, line));
            }

            @Override
            public void saved(Run run, Duration duration, boolean isKept) {
                all.forEach(it -> it.saved(run, duration, isKept));
            }

            @Override
            public void leaseLost(Run run) {
                all.forEach(it -> it.leaseLost(run));
            }

            @Override
            public void continued(Run run, String cause) {
                all.forEach(it -> it.continued(run, cause));
            }

            @Override
            public void parked(Run run) {
                all.forEach(it -> it.parked(run));
            }

            @Override
            public void ended(Run run, RunStatus status, String code) {
                all.forEach(it -> it.ended(run, status, code));
            }

            @Override
            public void left(Run run) {
                all.forEach(it -> it.left(run));
            }

            @Override
            public Optional<String> traceparent(Run run) {
                return all.stream().flatMap(it -> it.traceparent(run).stream()).findFirst();
            }
        };
    }
}
