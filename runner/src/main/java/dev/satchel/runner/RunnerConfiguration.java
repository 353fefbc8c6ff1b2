package dev.satchel.runner;

import dev.satchel.runner.model.ModelSettings;
import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a runner is set up. Port 0 takes a free one; no secret lets all of this machine call it. */
public record RunnerConfiguration(
        String host,
        int port,
        Path dataDir,
        @Nullable String secret,
        int maxRuns,
        SandboxLimits limits,
        @Nullable ModelSettings model,
        Duration modelTimeout,
        PrivateHosts privateHosts) {

    public static final int DEFAULT_PORT = 8090;
    public static final int DEFAULT_MAX_RUNS = 16;
    public static final Duration DEFAULT_MODEL_TIMEOUT = Duration.ofMinutes(2);

    /** For a server that starts a runner of its own: on loopback, on a free port, one secret. */
    public static RunnerConfiguration embedded(
            Map<String, String> environment, Path dataDir, String secret) {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("SATCHEL_HOST", "127.0.0.1");
        settings.put("SATCHEL_PORT", "0");
        settings.put("SATCHEL_DATA_DIR", dataDir.toString());
        settings.put("SANDBOX_TOKEN", secret);
        return from(settings, List.of());
    }

    /**
     * Reads {@code --host}, {@code --port} and {@code --data}, which win over the environment.
     *
     * @throws InvalidConfigurationException with everything that is wrong, not only the first
     */
    public static RunnerConfiguration from(
            Map<String, String> environment, List<String> arguments) {
        List<String> problems = new ArrayList<>();
        Map<String, String> settings = new HashMap<>(environment);
        settings.putAll(flags(arguments, problems));
        ModelSettings model = ModelSettings.from(environment, problems).orElse(null);
        Numbers numbers = new Numbers(settings, problems);
        RunnerConfiguration configuration =
                new RunnerConfiguration(
                        settings.getOrDefault("SATCHEL_HOST", "127.0.0.1"),
                        numbers.read("SATCHEL_PORT", DEFAULT_PORT, 0, 65_535),
                        Path.of(settings.getOrDefault("SATCHEL_DATA_DIR", "data")),
                        blankToNull(settings.get("SANDBOX_TOKEN")),
                        numbers.read("SATCHEL_MAX_RUNS", DEFAULT_MAX_RUNS, 1, 10_000),
                        limits(numbers),
                        model,
                        Duration.ofSeconds(
                                numbers.read(
                                        "SATCHEL_MODEL_TIMEOUT_SECONDS",
                                        (int) DEFAULT_MODEL_TIMEOUT.toSeconds(),
                                        1,
                                        3_600)),
                        privateHosts(environment, problems));
        SandboxSetup.problem(environment).ifPresent(problems::add);
        if (configuration.secret() == null && !isLoopback(configuration.host())) {
            problems.add(
                    "SANDBOX_TOKEN must be set to listen on %s: without it everybody who reaches the"
                                    .formatted(configuration.host())
                            + " port may run commands");
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return configuration;
    }

    @Override
    public String toString() { // neither the secret nor a key belongs in a log
        return "RunnerConfiguration[host=%s, port=%d, dataDir=%s, maxRuns=%d, model=%s]"
                .formatted(host, port, dataDir, maxRuns, model);
    }

    private static Map<String, String> flags(List<String> arguments, List<String> problems) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String[] parts = arguments.get(i).split("=", 2);
            String variable =
                    switch (parts[0]) {
                        case "--host" -> "SATCHEL_HOST";
                        case "--port" -> "SATCHEL_PORT";
                        case "--data" -> "SATCHEL_DATA_DIR";
                        default -> "";
                    };
            if (variable.isEmpty()) {
                problems.add("unknown argument " + parts[0]);
            } else if (parts.length == 2) {
                given.put(variable, parts[1]);
            } else if (i + 1 < arguments.size()) {
                given.put(variable, arguments.get(++i));
            } else {
                problems.add(parts[0] + " needs a value");
            }
        }
        return given;
    }

    private static SandboxLimits limits(Numbers numbers) {
        int mib = 1 << 20;
        SandboxLimits usual = SandboxLimits.DEFAULT;
        return new SandboxLimits(
                (long) mib
                        * numbers.read(
                                "SATCHEL_SANDBOX_MEMORY_MB",
                                (int) (usual.memoryBytes() / mib),
                                16,
                                1_000_000),
                numbers.read("SATCHEL_SANDBOX_PROCESSES", usual.processes(), 4, 100_000),
                numbers.read("SATCHEL_SANDBOX_CPU_PERCENT", usual.cpuPercent(), 1, 100_000),
                (long) mib
                        * numbers.read(
                                "SATCHEL_SANDBOX_DISK_MB",
                                (int) (usual.diskBytes() / mib),
                                1,
                                10_000_000));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static PrivateHosts privateHosts(
            Map<String, String> environment, List<String> problems) {
        try {
            return PrivateHosts.from(environment);
        } catch (IllegalArgumentException e) {
            problems.add(PrivateHosts.VARIABLE + ": " + e.getMessage());
            return PrivateHosts.NONE;
        }
    }

    private static @Nullable String blankToNull(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }

    private record Numbers(Map<String, String> settings, List<String> problems) {
        int read(String name, int usual, int least, int most) {
            String value = settings.get(name);
            if (value == null || value.isBlank()) {
                return usual;
            }
            try {
                int number = Integer.parseInt(value.strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // said below
            }
            problems.add(
                    "%s must be a whole number from %d to %d, not %s"
                            .formatted(name, least, most, value));
            return usual;
        }
    }
}
