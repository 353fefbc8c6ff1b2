package dev.satchel.server.run;

import org.jspecify.annotations.Nullable;

/**
 * What decides whether a run can be continued.
 *
 * @param continuations how often it was continued because it was lost
 * @param journalFull whether its journal is incomplete
 * @param drains whether its loop shall stop at the next boundary
 * @param stopReason why another process wants it stopped
 * @param personIsOut whether its person was removed, or may only read now
 */
public record Continuability(
        int continuations,
        boolean journalFull,
        boolean drains,
        @Nullable String stopReason,
        boolean personIsOut) {}
