package dev.satchel.torture;

import java.io.IOException;

/** Signals that Java has no words for. */
final class Signals {
    private Signals() {}

    /** A process that is gone already is none to complain about. */
    static void send(String signal, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
