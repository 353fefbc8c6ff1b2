package dev.satchel.torture.harness;

import java.io.IOException;

/** Process signals that Java does not offer. */
public final class ProcessSignals {
    private ProcessSignals() {}

    /** A process that has ended already is not an error. */
    public static void send(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
