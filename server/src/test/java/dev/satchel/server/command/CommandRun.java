package dev.satchel.server.command;

import dev.satchel.server.objectstore.S3Settings;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A command of the server with the variables of an operator. */
public final class CommandRun {
    private final Map<String, String> variables = new HashMap<>();
    private final List<String> arguments;

    private CommandRun(List<String> arguments) {
        this.arguments = arguments;
    }

    public static CommandRun of(String... arguments) {
        return new CommandRun(List.of(arguments));
    }

    /** The exit code and what was printed. */
    public record Outcome(int code, String printed) {}

    /** Of a server with this data folder, database and bucket. */
    public CommandRun in(Path data, @Nullable URI database, @Nullable S3Settings bucket) {
        variables.put("SATCHEL_DATA_DIR", data.toString());
        if (database != null) {
            variables.put("DATABASE_URL", database.toString());
        }
        if (bucket != null) {
            variables.put("SATCHEL_S3_BUCKET", bucket.bucket());
            s3("SATCHEL_S3_", bucket);
        }
        return this;
    }

    /** Backups are in another bucket. */
    public CommandRun backupsIn(S3Settings bucket) {
        s3("SATCHEL_BACKUP_S3_", bucket);
        return this;
    }

    /** In this process, which takes less time than another one. */
    public Outcome run() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(both);
        System.setErr(both);
        try {
            int code = Main.run(variables, arguments.toArray(String[]::new));
            return new Outcome(code, printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** Kills a process of its own when it prints a line that begins like this. */
    public void killAt(String line) throws IOException {
        Process process = start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String next = output.readLine();
            while (next != null && !next.startsWith(line)) {
                next = output.readLine();
            }
            if (next == null) {
                throw new AssertionError("it has not printed " + line);
            }
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private void s3(String prefix, S3Settings bucket) {
        S3Settings.Credentials pair = Objects.requireNonNull(bucket.credentials());
        variables.put(prefix + "ENDPOINT", String.valueOf(bucket.endpoint()));
        variables.put(prefix + "ACCESS_KEY", pair.accessKey());
        variables.put(prefix + "SECRET_KEY", pair.secretKey());
        variables.put(prefix + "PATH_STYLE", "true");
    }

    private Process start() throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        return builder.start();
    }
}
