package dev.satchel.runner.workspace;

/**
 * A directory out of which no path leads: every name is resolved by the kernel beneath it, so a
 * link swapped in at the last moment opens nothing foreign.
 */
public interface SafeDirectory extends AutoCloseable {
    @Override
    void close();
}
