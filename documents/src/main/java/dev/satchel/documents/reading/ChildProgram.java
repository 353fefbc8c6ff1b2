package dev.satchel.documents.reading;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Another program that reads the document, in the same sandbox. Closing it ends the program. What
 * it says about errors is thrown away.
 */
public final class ChildProgram implements AutoCloseable {
    private final Process process;

    private ChildProgram(Process process) {
        this.process = process;
    }

    /** The file of a program on the path. */
    public static Optional<String> find(String name) {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator, -1)) {
            File file = new File(folder, name);
            if (!folder.isEmpty() && file.isFile() && file.canExecute()) {
                return Optional.of(file.getPath());
            }
        }
        return Optional.empty();
    }

    public static ChildProgram start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("OMP_THREAD_LIMIT", "1");
        builder.redirectError(Redirect.DISCARD);
        Process process = builder.start();
        process.getOutputStream().close();
        return new ChildProgram(process);
    }

    public InputStream output() {
        return process.getInputStream();
    }

    /** Waits for its end; gives whether it succeeded. */
    public boolean hasSucceeded() throws IOException {
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** All that a program prints, up to a size; empty if it fails. */
    public static Optional<byte[]> run(List<String> command, int maxBytes) throws IOException {
        try (ChildProgram program = start(command)) {
            byte[] output = program.output().readNBytes(maxBytes);
            return program.output().read() < 0 && program.hasSucceeded()
                    ? Optional.of(output)
                    : Optional.empty();
        }
    }

    /** As {@link #run}, as text. */
    public static Optional<String> text(List<String> command, int maxBytes) throws IOException {
        return run(command, maxBytes).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
