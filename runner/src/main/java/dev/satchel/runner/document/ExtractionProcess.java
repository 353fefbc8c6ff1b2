package dev.satchel.runner.document;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.ExtractMain;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.OutputListener;
import dev.satchel.runner.sandbox.ReadOnlyMount;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the extraction program for one document, in a sandbox of its own that sees nothing else and
 * has no network. Its output is not trusted: it is bounded, checked line by line, and ends with a
 * line that says how it ended.
 */
final class ExtractionProcess {
    /** The only file of the directory that the sandbox sees as its workspace. */
    static final String DOCUMENT = "document";

    private static final String JAVA = "/satchel/java";
    private static final String PROGRAM = "/satchel/documents";
    private static final int PROCESSES = 64;
    private static final int CPU_PERCENT = 200;
    private static final int KEPT_OUTPUT = 1024;
    private static final long SCRATCH_BYTES = 64L << 20;
    private static final int MAX_PICTURE_BYTES = 32 << 20;
    private static final long MIB = 1 << 20;

    /** The program ends itself in time, and says so. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final SandboxFactory sandboxes;
    private final DocumentProgram program;
    private final DocumentSettings settings;
    private final String ocr;

    ExtractionProcess(
            SandboxFactory sandboxes,
            DocumentProgram program,
            DocumentSettings settings,
            String ocr) {
        this.sandboxes = sandboxes;
        this.program = program;
        this.settings = settings;
        this.ocr = ocr;
    }

    /**
     * Reads the document of a directory and writes its lines to a file.
     *
     * @return whether another attempt would give the same lines
     */
    boolean run(Path directory, DocumentRequest request, Path lines)
            throws IOException, InterruptedException {
        Path printed = Files.createTempFile(lines.getParent(), "printed-", "");
        try {
            CommandResult result;
            BoundedOutput output = new BoundedOutput(printed, maxOutput(request));
            try (output;
                    Sandbox sandbox = sandboxes.open(spec(directory))) {
                result = sandbox.run(command(request).heardBy(output));
            }
            return check(printed, lines, failure(result, output.isCut()));
        } finally {
            Files.deleteIfExists(printed);
        }
    }

    private SandboxSpec spec(Path directory) throws IOException {
        long document = Files.size(directory.resolve(DOCUMENT));
        return new SandboxSpec(
                directory.getFileName().toString(),
                directory,
                new SandboxLimits(
                        settings.memoryBytes(), PROCESSES, CPU_PERCENT, document + SCRATCH_BYTES),
                List.of(),
                Map.of("MALLOC_ARENA_MAX", "1", "OMP_THREAD_LIMIT", "1"));
    }

    private Command command(DocumentRequest request) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(JAVA + "/bin/java"));
        arguments.addAll(jvmOptions());
        arguments.addAll(List.of("-cp", PROGRAM + "/classes:" + PROGRAM + "/*"));
        arguments.addAll(List.of(ExtractMain.class.getName(), DOCUMENT, request.filename()));
        arguments.addAll(request.arguments());
        arguments.addAll(List.of("--max-text", Integer.toString(settings.maxTextBytes())));
        arguments.addAll(List.of("--max-seconds", Long.toString(settings.time().toSeconds())));
        arguments.addAll(settings.parser().arguments());
        if (!ocr.isEmpty() && request.picture() == null) {
            arguments.addAll(List.of("--ocr", ocr));
        }
        return new Command(arguments, settings.time().plus(GRACE), KEPT_OUTPUT, true)
                .reading(
                        List.of(
                                new ReadOnlyMount(Path.of(System.getProperty("java.home")), JAVA),
                                new ReadOnlyMount(program.directory(), PROGRAM)));
    }

    /** Without a control group all of the process must fit into the limit as addresses. */
    private List<String> jvmOptions() {
        return List.of(
                "-Xmx" + settings.memoryBytes() / 2 / MIB + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=32m",
                "-XX:CompressedClassSpaceSize=32m",
                "-XX:-UsePerfData",
                "-XX:-OmitStackTraceInFastThrow",
                "-Djava.awt.headless=true");
    }

    private long maxOutput(DocumentRequest request) {
        return request.picture() == null ? 2L * settings.maxTextBytes() + MIB : MAX_PICTURE_BYTES;
    }

    /** Why the program did not say itself how it ended. */
    private Failure failure(CommandResult result, boolean isCut) {
        if (isCut) {
            return new Failure(
                    Failure.Code.TOO_LARGE,
                    "It has more text than the "
                            + settings.maxTextBytes() / MIB
                            + " MB that are read.");
        }
        return switch (result.ending()) {
            case TIMED_OUT ->
                    new Failure(
                            Failure.Code.TIMEOUT,
                            "Reading it took longer than "
                                    + settings.time().toSeconds()
                                    + " seconds.");
            case OUT_OF_MEMORY ->
                    new Failure(
                            Failure.Code.TOO_LARGE,
                            "Reading it needs more than "
                                    + settings.memoryBytes() / MIB
                                    + " MB of memory.");
            case OUT_OF_DISK ->
                    new Failure(
                            Failure.Code.BOMB,
                            "Reading it needs more than " + SCRATCH_BYTES / MIB + " MB of disk.");
            case EXITED ->
                    new Failure(Failure.Code.BROKEN, "The program that reads documents failed.");
        };
    }

    /** Copies valid lines, and ends with one that ends a document. */
    private static boolean check(Path printed, Path lines, Failure otherwise) throws IOException {
        boolean hasParts = false;
        try (DocumentLines from =
                        new DocumentLines(new BufferedInputStream(Files.newInputStream(printed)));
                OutputStream to = new BufferedOutputStream(Files.newOutputStream(lines))) {
            while (true) {
                Optional<DocumentLine> line = nextValid(from);
                if (line.isEmpty()) {
                    writeEnd(to, hasParts, otherwise);
                    return false;
                }
                to.write(DocumentLines.encode(line.get()));
                switch (line.get()) {
                    case DocumentLine.End _ -> {
                        return true;
                    }
                    case Failure(Failure.Code code, String _) -> {
                        return code != Failure.Code.TIMEOUT;
                    }
                    case DocumentLine.Part _ -> hasParts = true;
                    case DocumentLine.Header _, DocumentLine.Cut _, DocumentLine.Picture _ -> {}
                }
            }
        }
    }

    private static Optional<DocumentLine> nextValid(DocumentLines from) {
        try {
            return from.next();
        } catch (IOException _) {
            return Optional.empty(); // cut within a line, or not written by the program
        }
    }

    /** A timeout stays one also after some parts: what it depends on is the load. */
    private static void writeEnd(OutputStream to, boolean hasParts, Failure failure)
            throws IOException {
        if (hasParts && failure.code() != Failure.Code.TIMEOUT) {
            to.write(
                    DocumentLines.encode(
                            new DocumentLine.Cut("The rest was not read. " + failure.message())));
            to.write(DocumentLines.encode(new DocumentLine.End()));
        } else {
            to.write(DocumentLines.encode(failure));
        }
    }

    /** Writes what the program prints to a file, up to a size. */
    private static final class BoundedOutput implements OutputListener, AutoCloseable {
        private final OutputStream out;
        private long left;
        private boolean cut;

        BoundedOutput(Path file, long maxBytes) throws IOException {
            out = Files.newOutputStream(file);
            left = maxBytes;
        }

        @Override
        public synchronized void output(Output.Stream stream, byte[] bytes, int length) {
            if (stream != Output.Stream.STDOUT) {
                return;
            }
            int taken = (int) Math.min(left, length);
            cut |= taken < length;
            left -= taken;
            try {
                out.write(bytes, 0, taken);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        synchronized boolean isCut() {
            return cut;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
