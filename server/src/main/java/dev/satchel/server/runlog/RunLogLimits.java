package dev.satchel.server.runlog;

/**
 * How large the log of a run and the message that is made of it may become.
 *
 * @param characters of all lines of the log
 * @param lines of the log
 * @param messageCharacters of the steps and texts of the message, without the answer
 * @param stepOutputBytes of what one step prints
 * @param journalCharacters of the journal, which does not count among the lines and characters
 *     above
 * @param queuedCharacters of the lines of all runs of this server that wait for their commit
 */
public record RunLogLimits(
        long characters,
        long lines,
        long messageCharacters,
        long stepOutputBytes,
        long journalCharacters,
        int queuedCharacters) {
    private static final long MEBI = 1024 * 1024;

    public static RunLogLimits standard() {
        return new RunLogLimits(64 * MEBI, 100_000, 4 * MEBI, MEBI / 4, 64 * MEBI, 64 << 20);
    }
}
