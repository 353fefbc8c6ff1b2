package dev.satchel.cli;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a command in a pseudo-terminal of script(1), and types into it. */
final class PseudoTerminal implements AutoCloseable {
    private static final int LONGEST_SECONDS = 60;
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";

    private final Process process;
    private final Reader screen;
    private final StringBuilder seen = new StringBuilder();

    private PseudoTerminal(Process process) {
        this.process = process;
        this.screen = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
    }

    static PseudoTerminal start(Path folder, Map<String, String> environment, List<String> command)
            throws IOException {
        String line =
                command.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" ", "stty cols 100 rows 30; exec ", ""));
        ProcessBuilder builder =
                new ProcessBuilder("script", "-qefc", line, "/dev/null")
                        .directory(folder.toFile())
                        .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("SATCHEL_"));
        builder.environment().putAll(environment);
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        Process process = builder.start();
        process.onExit()
                .copy()
                .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                .exceptionally(_ -> killed(process)); // then the waiting test sees the end
        return new PseudoTerminal(process);
    }

    /** Reads until a text appears after the previously awaited text. */
    String await(String text) throws IOException {
        int start = seen.length();
        while (seen.indexOf(text, start) < 0) {
            int next = screen.read();
            if (next < 0) {
                throw new AssertionError("ended without \"" + text + "\" after: " + seen);
            }
            seen.append((char) next);
        }
        return seen.substring(start);
    }

    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    void line(String text) throws IOException {
        type(text + "\r");
    }

    void ctrlC() throws IOException {
        type(CTRL_C);
    }

    void ctrlD() throws IOException {
        type(CTRL_D);
    }

    /** Reads to the end and returns the exit code. */
    int end() throws IOException, InterruptedException {
        for (int next = screen.read(); next >= 0; next = screen.read()) {
            seen.append((char) next);
        }
        return process.waitFor();
    }

    String seen() {
        return seen.toString();
    }

    @Override
    public void close() {
        killed(process);
    }

    private static Process killed(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        return process.destroyForcibly();
    }
}
