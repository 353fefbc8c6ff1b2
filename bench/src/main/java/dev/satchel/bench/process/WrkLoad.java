package dev.satchel.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator wrk. */
public record WrkLoad(Path program, int connections, Duration length) {
    private static final Pattern RATE = Pattern.compile("Requests/sec: *([0-9.]+)");

    public double requestsPerSecond(String url) throws IOException, InterruptedException {
        String output =
                new ExternalProgram(
                                List.of(
                                        program.toString(),
                                        "-t1",
                                        "-c" + connections,
                                        "-d" + Math.max(1, length.toSeconds()) + "s",
                                        "-H",
                                        "Authorization: Bearer " + ServerProcess.KEY,
                                        url),
                                Path.of("/"))
                        .run();
        Matcher rate = RATE.matcher(output);
        if (!rate.find() || output.contains("Non-2xx") || output.contains("Socket errors")) {
            throw new IOException("wrk was not answered well: " + output);
        }
        return Double.parseDouble(rate.group(1));
    }
}
