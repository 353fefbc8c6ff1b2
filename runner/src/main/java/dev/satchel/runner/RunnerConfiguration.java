package dev.satchel.runner;

import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.agent.LoopSettings;
import dev.satchel.runner.document.DocumentSettings;
import dev.satchel.runner.mcp.McpSettings;
import dev.satchel.runner.model.OperatorModels;
import dev.satchel.runner.model.RetryPolicy;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.skill.SkillCache;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a runner. {@code models} are for runs that describe none. */
public record RunnerConfiguration(
        Listener listener,
        Path dataDir,
        int maxRuns,
        SandboxLimits limits,
        ModelAccess models,
        LoopSettings loop,
        DocumentSettings documents,
        ReachableHosts reachableHosts,
        long skillCacheBytes) {

    /**
     * The address of a runner. Port 0 is any free port. Without a secret every process on this
     * machine can start runs.
     */
    public record Listener(String host, int port, @Nullable String secret) {
        @Override
        public String toString() { // without the secret
            return host + ":" + port;
        }
    }

    /** The models of the operator; without any the offline agent answers runs that name none. */
    public record ModelAccess(OperatorModels operator, Duration timeout, RetryPolicy retries) {}

    public static final int DEFAULT_PORT = 8090;
    public static final int DEFAULT_MAX_RUNS = 16;
    public static final Duration DEFAULT_MODEL_TIMEOUT = Duration.ofMinutes(2);

    /** For a runner in the process of a server: on a free port of loopback, with a secret. */
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
     * Reads {@code --host}, {@code --port} and {@code --data}, which have precedence over
     * variables.
     *
     * @throws InvalidConfigurationException with every problem
     */
    public static RunnerConfiguration from(
            Map<String, String> environment, List<String> arguments) {
        List<String> problems = new ArrayList<>();
        Map<String, String> settings = new HashMap<>(environment);
        settings.putAll(flags(arguments, problems));
        OperatorModels models = OperatorModels.from(environment, problems);
        Numbers numbers = new Numbers(settings, problems);
        ReachableHosts reachableHosts = reachableHosts(environment, problems);
        RunnerConfiguration configuration =
                new RunnerConfiguration(
                        new Listener(
                                settings.getOrDefault("SATCHEL_HOST", "127.0.0.1"),
                                numbers.read("SATCHEL_PORT", DEFAULT_PORT, 0, 65_535),
                                blankToNull(settings.get("SANDBOX_TOKEN"))),
                        Path.of(settings.getOrDefault("SATCHEL_DATA_DIR", "data")),
                        numbers.read("SATCHEL_MAX_RUNS", DEFAULT_MAX_RUNS, 1, 10_000),
                        limits(numbers),
                        new ModelAccess(models, modelTimeout(numbers), retries(numbers)),
                        loop(numbers, reachableHosts),
                        DocumentVariables.read(settings, numbers::read, problems),
                        reachableHosts,
                        skillCacheBytes(numbers));
        SandboxSetup.problem(environment).ifPresent(problems::add);
        Listener listener = configuration.listener();
        if (listener.secret() == null && !isLoopback(listener.host())) {
            problems.add(
                    "SANDBOX_TOKEN must be set to listen on %s: without it everybody who reaches the"
                                    .formatted(listener.host())
                            + " port may run commands");
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return configuration;
    }

    @Override
    public String toString() { // without the key of the model
        return "RunnerConfiguration[listener=%s, dataDir=%s, maxRuns=%d, models=%s]"
                .formatted(listener, dataDir, maxRuns, models.operator());
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

    private static Duration modelTimeout(Numbers numbers) {
        int standard = (int) DEFAULT_MODEL_TIMEOUT.toSeconds();
        return Duration.ofSeconds(
                numbers.read("SATCHEL_MODEL_TIMEOUT_SECONDS", standard, 1, 3_600));
    }

    private static RetryPolicy retries(Numbers numbers) {
        int longest = (int) RetryPolicy.DEFAULT_RETRY_AFTER.toSeconds();
        return RetryPolicy.of(
                numbers.read("SATCHEL_MODEL_TRIES", RetryPolicy.DEFAULT_TRIES, 1, 20),
                Duration.ofSeconds(numbers.read("SATCHEL_MODEL_WAIT_SECONDS", longest, 0, 3_600)));
    }

    private static LoopSettings loop(Numbers numbers, ReachableHosts reachableHosts) {
        LoopSettings standard = LoopSettings.DEFAULT;
        LoopSettings.ImageSettings images = standard.images();
        int kib = 1024;
        int million = 1_000_000;
        return new LoopSettings(
                numbers.read("SATCHEL_PARALLEL_READS", standard.parallelReads(), 1, 64),
                numbers.read("SATCHEL_ANSWER_CONTINUATIONS", standard.continuations(), 0, 20),
                kib
                        * numbers.read(
                                "SATCHEL_STEP_OUTPUT_KB",
                                standard.stepOutputBytes() / kib,
                                1,
                                65_536),
                window(numbers, standard.window()),
                new LoopSettings.ImageSettings(
                        numbers.read("SATCHEL_EARLIER_IMAGES", images.earlier(), 0, 20),
                        (long) million
                                * numbers.read(
                                        "SATCHEL_EARLIER_IMAGES_MB",
                                        (int) (images.earlierBytes() / million),
                                        0,
                                        20),
                        (long) million
                                * numbers.read(
                                        "SATCHEL_IMAGE_MEGAPIXELS",
                                        (int) (images.maxPixels() / million),
                                        1,
                                        1_000)),
                DocumentVariables.attached(numbers::read),
                mcp(numbers, standard.mcp(), reachableHosts));
    }

    private static McpSettings mcp(
            Numbers numbers, McpSettings standard, ReachableHosts reachableHosts) {
        int kib = 1024;
        return new McpSettings(
                numbers.read("SATCHEL_MCP_TOOLS", standard.maxTools(), 1, 1_000),
                kib
                        * numbers.read(
                                "SATCHEL_MCP_RESULT_KB",
                                standard.maxMessageBytes() / kib,
                                64,
                                65_536),
                Duration.ofSeconds(
                        numbers.read(
                                "SATCHEL_MCP_CALL_SECONDS",
                                (int) standard.callTime().toSeconds(),
                                1,
                                86_400)),
                Duration.ofSeconds(
                        numbers.read(
                                "SATCHEL_MCP_START_SECONDS",
                                (int) standard.startTime().toSeconds(),
                                1,
                                3_600)),
                reachableHosts);
    }

    private static LoopSettings.WindowShares window(
            Numbers numbers, LoopSettings.WindowShares standard) {
        double full = numbers.share("SATCHEL_COMPACT_AT_PERCENT", standard.full());
        double kept = numbers.share("SATCHEL_COMPACT_KEEP_PERCENT", standard.kept());
        if (kept >= full) {
            numbers.problems()
                    .add(
                            "SATCHEL_COMPACT_KEEP_PERCENT must be less than"
                                    + " SATCHEL_COMPACT_AT_PERCENT");
        }
        return new LoopSettings.WindowShares(
                full, kept, numbers.share("SATCHEL_TOOL_RESULT_PERCENT", standard.result()));
    }

    private static long skillCacheBytes(Numbers numbers) {
        long mib = 1L << 20;
        int standard = (int) (SkillCache.DEFAULT_BYTES / mib);
        return mib * numbers.read("SATCHEL_SKILL_CACHE_MB", standard, 0, 1_000_000);
    }

    private static SandboxLimits limits(Numbers numbers) {
        int mib = 1 << 20;
        SandboxLimits standard = SandboxLimits.DEFAULT;
        return new SandboxLimits(
                (long) mib
                        * numbers.read(
                                "SATCHEL_SANDBOX_MEMORY_MB",
                                (int) (standard.memoryBytes() / mib),
                                16,
                                1_000_000),
                numbers.read("SATCHEL_SANDBOX_PROCESSES", standard.processes(), 4, 100_000),
                numbers.read("SATCHEL_SANDBOX_CPU_PERCENT", standard.cpuPercent(), 1, 100_000),
                (long) mib
                        * numbers.read(
                                "SATCHEL_SANDBOX_DISK_MB",
                                (int) (standard.diskBytes() / mib),
                                1,
                                10_000_000),
                numbers.read("SATCHEL_SANDBOX_ENTRIES", standard.diskEntries(), 100, 100_000_000));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static ReachableHosts reachableHosts(
            Map<String, String> environment, List<String> problems) {
        try {
            return ReachableHosts.from(environment);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
            return ReachableHosts.NONE;
        }
    }

    private static @Nullable String blankToNull(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }

    private record Numbers(Map<String, String> settings, List<String> problems) {
        /** A percentage as a number from 0 to 1. */
        double share(String name, double fallback) {
            return read(name, (int) Math.round(100 * fallback), 1, 95) / 100.0;
        }

        int read(String name, int fallback, int least, int most) {
            String value = settings.get(name);
            if (value == null || value.isBlank()) {
                return fallback;
            }
            try {
                int number = Integer.parseInt(value.strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            problems.add(
                    "%s must be a whole number from %d to %d, not %s"
                            .formatted(name, least, most, value));
            return fallback;
        }
    }
}
