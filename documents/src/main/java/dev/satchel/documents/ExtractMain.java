package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.ExtractRequest;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The program that reads one document and prints its parts as lines, see {@link DocumentLine}. It
 * is started for each document inside a sandbox without network, because documents are hostile. Its
 * exit status is 0 if the last line is {@code end} or {@code error}, and 2 if its arguments are
 * wrong.
 *
 * <pre>
 * ExtractMain FILE FILENAME [--pages 3-7] [--sheet NAME-or-number] [--range A1:F200]
 *     [--render PAGE --max-pixels N] [--ocr LANGUAGES]
 *     [--max-text BYTES] [--max-parts N] [--max-seconds N] [--max-cells N] [--max-pictures N]
 *     [--max-entries N] [--max-unpacked BYTES] [--max-times N]
 * </pre>
 */
public final class ExtractMain {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int WRONG_ARGUMENTS = 2;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private ExtractMain() {}

    public static void main(String[] arguments) throws IOException {
        ExtractRequest request;
        try {
            request = ExtractRequest.parse(options(arguments));
        } catch (IllegalArgumentException e) {
            complain(String.valueOf(e.getMessage()));
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        OutputStream out =
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES);
        System.setProperty(
                "org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
        System.setProperty("java.awt.headless", "true");
        endAfter(request.limits().maxTime());
        DocumentExtractor.extract(
                Path.of(arguments[0]).toAbsolutePath(), arguments[1], request, out);
        out.flush();
    }

    private static void complain(String message) throws IOException {
        try (OutputStream problems = new FileOutputStream(FileDescriptor.err)) {
            problems.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Map<String, String> options(String[] arguments) {
        if (arguments.length < 2 || arguments.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "FILE and FILENAME are needed, and each option needs a value");
        }
        Map<String, String> options = new HashMap<>();
        for (int i = 2; i < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        return options;
    }

    /**
     * Ends the process if a parser does not come back to its time checks soon. The line begins with
     * a line feed, as the process may be in the middle of another one.
     */
    private static void endAfter(Duration time) {
        Thread watch =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(time.plus(GRACE));
                                printTimeout(time);
                            } catch (InterruptedException | IOException _) {
                                // the process ends in any case
                            }
                            ProcessHandle.current()
                                    .descendants()
                                    .forEach(ProcessHandle::destroyForcibly);
                            Runtime.getRuntime().halt(0);
                        },
                        "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void printTimeout(Duration time) throws IOException {
        byte[] line =
                DocumentLines.encode(
                        new Failure(
                                Failure.Code.TIMEOUT,
                                "Reading the document took longer than "
                                        + time.toSeconds()
                                        + " seconds."));
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write('\n');
            out.write(line);
        }
    }
}
