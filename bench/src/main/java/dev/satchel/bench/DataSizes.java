package dev.satchel.bench;

/** How large the things are that are measured. */
public record DataSizes(
        int longThread,
        int streams,
        int sandboxes,
        int idleSandboxes,
        int files,
        int bag,
        int chats,
        int deletedChats,
        int waitingRuns,
        int storedTurns,
        Lines lines,
        Bytes bytes,
        Idle idle) {
    /** Of files, in mebibytes. */
    public record Bytes(int download, int upload, int grep, int huge) {}

    /** Runs at once, in a large and in a small number, and how many lines each writes a second. */
    public record Lines(int manyRuns, int fewRuns, int perSecond) {}

    /** Conversations with a silent run, and the readers of each. */
    public record Idle(int runs, int readersPerRun) {
        public int readers() {
            return runs * readersPerRun;
        }
    }

    public static final DataSizes FULL =
            new DataSizes(
                    10_000,
                    1_000,
                    100,
                    1_000,
                    10_000,
                    1_000,
                    100_000,
                    5_000,
                    10_000,
                    1_000,
                    new Lines(200, 50, 50),
                    new Bytes(100, 256, 300, 1024),
                    new Idle(200, 50));

    /** Sizes that a threshold names are unchanged; the rest is smaller. */
    public static final DataSizes QUICK =
            new DataSizes(
                    10_000,
                    1_000,
                    50,
                    1_000,
                    10_000,
                    300,
                    100_000,
                    5_000,
                    10_000,
                    1_000,
                    new Lines(200, 50, 50),
                    new Bytes(100, 96, 300, 320),
                    new Idle(200, 50));
}
