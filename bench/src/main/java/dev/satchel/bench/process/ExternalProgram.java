package dev.satchel.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A program of the system, run to its end. */
public record ExternalProgram(List<String> command, Path folder) {
    public ExternalProgram {
        command = List.copyOf(command);
    }

    /** What it printed. */
    public String run() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException(command.getFirst() + " ended with " + exit + ": " + output);
        }
        return output;
    }

    /** How many milliseconds it took. */
    public double millis() throws IOException, InterruptedException {
        long start = System.nanoTime();
        String _ = run();
        return (System.nanoTime() - start) / 1e6;
    }
}
