package dev.satchel.torture.harness;

import java.io.IOException;

/** Signals that Java has no words for. */
public final class ProcessSignals {
    private ProcessSignals() {}

    /** A process that is gone already is none to complain about. */
    public static void send(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
