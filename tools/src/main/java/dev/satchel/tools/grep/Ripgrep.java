package dev.satchel.tools.grep;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.linux.NameBytes;
import dev.satchel.tools.grep.RipgrepOutput.Match;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The program ripgrep. Arguments and output pass the shell as base64, because file names need not
 * be UTF-8, and because nothing in a pattern can then be read as part of the command line.
 */
public final class Ripgrep {
    /** Where a sandbox has programs, too. */
    private static final List<String> DIRECTORIES = List.of("/usr/local/bin", "/usr/bin", "/bin");

    /** The exit code of ripgrep, or of the program that stopped it, is the last line of errors. */
    private static final String SCRIPT =
            """
            printf %s "$1" | base64 -d \
            | { timeout "$2" xargs -0 -x "$0"; echo $? >&2; } \
            | head -c "$3" | base64 -w 0""";

    /** By default xargs passes no more than 128 KB. */
    private static final int MAX_ARGUMENT_BYTES = 90 * 1024;

    private static final int TIMED_OUT = 124; // as timeout(1) reports it
    private static final int NO_MATCH = 123; // as xargs(1) reports any failure of its command
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Path program;

    private Ripgrep(Path program) {
        this.program = program;
    }

    /** Empty where ripgrep is not installed. */
    public static Optional<Ripgrep> find() {
        return find(Path.of("/"));
    }

    /** Ripgrep as a sandbox sees it that has the programs of this directory. */
    public static Optional<Ripgrep> find(Path root) {
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, "rg"))
                .filter(program -> Files.isExecutable(root.resolve("." + program)))
                .findFirst()
                .map(Ripgrep::at);
    }

    static Ripgrep at(Path program) {
        return new Ripgrep(program);
    }

    record Limits(Duration time, int outputBytes) {}

    /** What ripgrep found, and whether the time or the size limit ended it. */
    record Result(Map<WorkspacePath, Set<Match>> matches, boolean timedOut, boolean cut) {}

    /** Empty where ripgrep refuses the arguments or fails. */
    Optional<Result> run(
            List<String> options, List<WorkspacePath> paths, Limits limits, CommandRunner commands)
            throws IOException, InterruptedException {
        return printed(options, paths, limits, commands)
                .map(
                        printed ->
                                new Result(
                                        RipgrepOutput.parse(printed.bytes),
                                        printed.timedOut,
                                        printed.bytes.length == limits.outputBytes));
    }

    /** The files that ripgrep lists beneath a directory; none where it fails. */
    List<WorkspacePath> list(
            List<String> options, WorkspacePath directory, Limits limits, CommandRunner commands)
            throws IOException, InterruptedException {
        return printed(options, List.of(directory), limits, commands)
                .map(printed -> RipgrepOutput.parsePaths(printed.bytes))
                .orElse(List.of());
    }

    /** What ripgrep printed. */
    private static final class Printed {
        private final byte[] bytes;
        private final boolean timedOut;

        Printed(byte[] bytes, boolean timedOut) {
            this.bytes = bytes;
            this.timedOut = timedOut;
        }
    }

    private Optional<Printed> printed(
            List<String> options, List<WorkspacePath> paths, Limits limits, CommandRunner commands)
            throws IOException, InterruptedException {
        byte[] arguments = arguments(options, paths);
        if (arguments.length > MAX_ARGUMENT_BYTES) {
            return Optional.empty();
        }
        List<String> command =
                List.of(
                        "/bin/sh",
                        "-c",
                        SCRIPT,
                        program.toString(),
                        Base64.getEncoder().encodeToString(arguments),
                        "%d.%03d".formatted(limits.time.toSeconds(), limits.time.toMillisPart()),
                        Integer.toString(limits.outputBytes));
        return result(commands.run(command, limits.time.plus(GRACE), 2 * limits.outputBytes));
    }

    private static Optional<Printed> result(CommandRunner.Output output) {
        int code = switch (output.errors().strip()) { // anything else is a message of ripgrep
                    case "0" -> 0;
                    case "123" -> NO_MATCH;
                    case "124" -> TIMED_OUT;
                    default -> -1;
                };
        if (code < 0) {
            return Optional.empty();
        }
        byte[] bytes = Base64.getDecoder().decode(output.output().strip());
        return Optional.of(new Printed(bytes, code == TIMED_OUT));
    }

    /** Separated by null bytes, which no argument contains. */
    private static byte[] arguments(List<String> options, List<WorkspacePath> paths) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String option : options) {
            bytes.writeBytes((option + "\0").getBytes(StandardCharsets.UTF_8));
        }
        bytes.writeBytes("--\0".getBytes(StandardCharsets.UTF_8));
        for (WorkspacePath path : paths) {
            bytes.writeBytes(NameBytes.of("./" + (path.isRoot() ? "" : path.value()) + "\0"));
        }
        return bytes.toByteArray();
    }
}
