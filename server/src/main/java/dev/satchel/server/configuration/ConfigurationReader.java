package dev.satchel.server.configuration;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.http.response.CrossOrigin;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration.Ages;
import dev.satchel.server.configuration.Configuration.Network;
import dev.satchel.server.configuration.Configuration.Retention;
import dev.satchel.server.configuration.Configuration.RunLimits;
import dev.satchel.server.credential.SealingKeys;
import dev.satchel.server.document.IndexLimits;
import dev.satchel.server.model.EnvironmentModels;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.skill.SkillLimits;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads every flag and variable of the server. docs/SETTINGS.md lists them too. */
public final class ConfigurationReader {
    private static final long KIBIBYTE = 1024;
    private static final long MEBIBYTE = 1024 * 1024;

    /** Requests with a right key are not rate limited, so a short key could be guessed. */
    private static final int SHORTEST_KEY = 16;

    private static final String MODELS_FILE = "SATCHEL_MODELS_FILE";
    private static final int EIGHT_HOURS = 28_800;
    private static final int ONE_DAY = 86_400;
    private static final int ONE_WEEK = 604_800;

    /** Read by the launcher script, by the logging set-up, by the runner and by other commands. */
    private static final String[] READ_ELSEWHERE = {
        "SATCHEL_ANSWER_CONTINUATIONS",
        "SATCHEL_COMPACT_AT_PERCENT",
        "SATCHEL_COMPACT_KEEP_PERCENT",
        "SATCHEL_EARLIER_IMAGES",
        "SATCHEL_EARLIER_IMAGES_MB",
        "SATCHEL_IMAGE_MEGAPIXELS",
        "SATCHEL_DOCUMENT_PARALLEL",
        "SATCHEL_DOCUMENT_WAITING",
        "SATCHEL_DOCUMENT_SECONDS",
        "SATCHEL_DOCUMENT_MEMORY_MB",
        "SATCHEL_DOCUMENT_MB",
        "SATCHEL_DOCUMENT_TEXT_MB",
        "SATCHEL_DOCUMENT_CACHE_MB",
        "SATCHEL_DOCUMENT_CACHE_HOURS",
        "SATCHEL_DOCUMENTS_PER_SEARCH",
        "SATCHEL_DOCUMENT_HINT_SECONDS",
        "SATCHEL_DOCUMENT_PARTS",
        "SATCHEL_DOCUMENT_CELLS",
        "SATCHEL_DOCUMENT_PICTURES",
        "SATCHEL_DOCUMENT_ENTRIES",
        "SATCHEL_DOCUMENT_UNPACKED_MB",
        "SATCHEL_DOCUMENT_UNPACKED_TIMES",
        "SATCHEL_PDF_PAGES",
        "SATCHEL_PDF_MB",
        "SATCHEL_OCR",
        "SATCHEL_EGRESS_HOSTS",
        "SATCHEL_EGRESS_PORTS",
        "SATCHEL_JAVA_OPTIONS",
        "SATCHEL_LOG_LEVEL",
        "SATCHEL_MCP_CALL_SECONDS",
        "SATCHEL_MCP_RESULT_KB",
        "SATCHEL_MCP_START_SECONDS",
        "SATCHEL_MCP_TOOLS",
        "SATCHEL_MODEL",
        "SATCHEL_MODEL_TIMEOUT_SECONDS",
        "SATCHEL_MODEL_TRIES",
        "SATCHEL_MODEL_WAIT_SECONDS",
        "SATCHEL_PARALLEL_READS",
        "SATCHEL_PRIVATE_HOSTS",
        "SATCHEL_SANDBOX",
        "SATCHEL_SANDBOX_CPU_PERCENT",
        "SATCHEL_SANDBOX_MEMORY_MB",
        "SATCHEL_SANDBOX_PROCESSES",
        "SATCHEL_SKILL_CACHE_MB",
        "SATCHEL_TOOL_RESULT_PERCENT",
        "SATCHEL_URL"
    };

    private final SettingsReader settings;
    private final Map<String, String> variables;

    private ConfigurationReader(SettingsReader settings, Map<String, String> variables) {
        this.settings = settings;
        this.variables = variables;
    }

    /** The configuration, and the variables with our prefix that nothing reads. */
    public record Outcome(Configuration configuration, List<String> unknownVariables) {}

    /**
     * Reads flags, keyed by their names, and variables.
     *
     * @throws ConfigurationException with every problem, also one for each of the unknown flags
     */
    public static Outcome read(
            Map<String, String> flags, List<String> unknownFlags, Map<String, String> variables)
            throws ConfigurationException {
        SettingsReader settings = new SettingsReader(flags, variables);
        unknownFlags.forEach(flag -> settings.problem("unknown option " + flag));
        Configuration configuration = new ConfigurationReader(settings, variables).configuration();
        if (!settings.problems().isEmpty()) {
            throw new ConfigurationException(settings.problems());
        }
        return new Outcome(configuration, settings.unknown());
    }

    private Configuration configuration() {
        settings.expect(READ_ELSEWHERE);
        settings.expect(BackupPlaceReader.VARIABLES);
        SandboxConfiguration sandbox = new SandboxConfigurationReader(settings, variables).read();
        return new Configuration(
                network(),
                storage(),
                sandbox,
                runs(),
                bags(),
                ages(),
                models(sandbox),
                reachableHosts(),
                skills(),
                index(),
                new LimitReader(settings).read(),
                workspaces(),
                new MonitoringReader(settings).read(),
                new OidcReader(settings).read());
    }

    private SkillLimits skills() {
        return new SkillLimits(
                settings.integer(
                        "SATCHEL_MAX_SKILL_FILES", SkillLimits.DEFAULT.maxFiles(), 1, 10_000),
                settings.integer(
                        "SATCHEL_MAX_SKILL_BYTES",
                        (int) SkillLimits.DEFAULT.maxBytes(),
                        1,
                        (int) (256 * MEBIBYTE)));
    }

    private IndexLimits index() {
        IndexLimits standard = IndexLimits.STANDARD;
        return new IndexLimits(
                settings.number("SATCHEL_INDEX_FILE_BYTES", standard.maxFileBytes(), 1),
                settings.integer(
                        "SATCHEL_INDEX_TEXT_BYTES", standard.maxTextBytes(), 1_000, 64_000_000),
                settings.integer("SATCHEL_INDEX_ATTEMPTS", standard.maxAttempts(), 1, 100));
    }

    private ReachableHosts reachableHosts() {
        try {
            return ReachableHosts.from(variables);
        } catch (IllegalArgumentException e) {
            settings.problem(String.valueOf(e.getMessage()));
            return ReachableHosts.NONE;
        }
    }

    /** A runner elsewhere has an environment of its own, so only a file can name its models. */
    private ModelRegistry models(SandboxConfiguration sandbox) {
        List<String> problems = new ArrayList<>();
        Optional<String> file = settings.content(MODELS_FILE);
        if (file.isPresent()) {
            ModelRegistry models = ModelsFileParser.parse(file.get(), problems);
            problems.forEach(problem -> settings.problem(MODELS_FILE + ": " + problem));
            return models;
        }
        if (sandbox instanceof SandboxConfiguration.Remote) {
            return ModelRegistry.EMPTY;
        }
        ModelRegistry models = EnvironmentModels.of(variables, problems);
        problems.forEach(settings::problem);
        return models;
    }

    private Network network() {
        return new Network(
                settings.host("SATCHEL_HOST", "--host", "127.0.0.1"),
                settings.integer("SATCHEL_PORT", "--port", 8080, 0, 65_535),
                settings.url("SATCHEL_PUBLIC_URL", "http", "https"),
                settings.url("SATCHEL_NODE_URL", "http", "https"),
                apiKey(),
                settings.choice("SATCHEL_LOG_FORMAT", LogFormat.class, LogFormat.TEXT),
                new HttpOptions(
                        connections(),
                        settings.bool("SATCHEL_CLEARTEXT_HTTP2", false),
                        crossOrigin(),
                        proxies()));
    }

    private TrustedProxies proxies() {
        List<String> given =
                Stream.of(settings.text("SATCHEL_TRUSTED_PROXIES", "").split(",", -1))
                        .map(String::strip)
                        .filter(proxy -> !proxy.isEmpty())
                        .toList();
        try {
            return TrustedProxies.of(given);
        } catch (IllegalArgumentException e) {
            settings.problem(
                    "SATCHEL_TRUSTED_PROXIES has an entry that is neither an address nor a network"
                            + " such as 10.0.0.0/8");
            return TrustedProxies.NONE;
        }
    }

    private ConnectionTimeouts connections() {
        ConnectionTimeouts standard = ConnectionTimeouts.DEFAULT;
        return new ConnectionTimeouts(
                settings.seconds(
                        "SATCHEL_REQUEST_BODY_SECONDS", (int) standard.body().toSeconds(), ONE_DAY),
                settings.integer(
                        "SATCHEL_REQUEST_BODY_RATE",
                        standard.bytesPerSecond(),
                        1,
                        (int) (1024 * MEBIBYTE)),
                settings.seconds(
                        "SATCHEL_REQUEST_HEAD_SECONDS", (int) standard.head().toSeconds(), ONE_DAY),
                standard.idle());
    }

    private CrossOrigin crossOrigin() {
        String given = settings.text("SATCHEL_ALLOWED_ORIGINS", "");
        Set<String> origins =
                Stream.of(given.split(",", -1))
                        .map(String::strip)
                        .filter(origin -> !origin.isEmpty())
                        .collect(Collectors.toSet());
        try {
            return new CrossOrigin(origins);
        } catch (IllegalArgumentException e) {
            settings.problem(
                    "SATCHEL_ALLOWED_ORIGINS has an entry that is not an origin such as"
                            + " https://example.com:8443, in lower case");
            return CrossOrigin.NONE;
        }
    }

    private @Nullable Secret apiKey() {
        Secret key = settings.secret("SATCHEL_API_KEY");
        if (key != null && !key.value().matches("[\\x21-\\x7e]+")) {
            settings.problem("SATCHEL_API_KEY holds characters that no header can carry");
        }
        if (key != null && key.value().length() < SHORTEST_KEY) {
            settings.problem(
                    "SATCHEL_API_KEY is too easy to guess: it needs at least "
                            + SHORTEST_KEY
                            + " characters");
        }
        return key;
    }

    private StorageConfiguration storage() {
        Path data = settings.directory("SATCHEL_DATA_DIR", "--data", "data");
        return new StorageConfiguration(data, database(data), objects(data), secretKey());
    }

    private @Nullable Secret secretKey() {
        Secret keys = settings.secret("SATCHEL_SECRET_KEY");
        if (keys != null && !SealingKeys.isValid(keys.value())) {
            settings.problem(
                    "SATCHEL_SECRET_KEY must be 32 bytes in Base64, or several separated by commas:"
                            + " openssl rand -base64 32 makes one");
        }
        return keys;
    }

    private DatabaseConfiguration database(Path data) {
        URI url = settings.databaseUrl("DATABASE_URL");
        return url == null
                ? DatabaseConfiguration.Sqlite.in(data)
                : new DatabaseConfiguration.Postgresql(url);
    }

    private ObjectStoreConfiguration objects(Path data) {
        String bucket = settings.optionalText("SATCHEL_S3_BUCKET");
        URI endpoint = settings.url("SATCHEL_S3_ENDPOINT", "https", "http");
        String region = settings.text("SATCHEL_S3_REGION", "us-east-1");
        Secret accessKey = settings.secret("SATCHEL_S3_ACCESS_KEY");
        Secret secretKey = settings.secret("SATCHEL_S3_SECRET_KEY");
        boolean isPathStyle = settings.bool("SATCHEL_S3_PATH_STYLE", false);
        if ((accessKey == null) != (secretKey == null)) {
            settings.problem("SATCHEL_S3_ACCESS_KEY and SATCHEL_S3_SECRET_KEY belong together");
        }
        if (bucket == null) {
            if (endpoint != null || accessKey != null) {
                settings.problem(
                        "SATCHEL_S3_BUCKET is missing beside the other SATCHEL_S3 variables");
            }
            return ObjectStoreConfiguration.Local.in(data);
        }
        S3Settings.Credentials credentials =
                accessKey == null || secretKey == null
                        ? null
                        : new S3Settings.Credentials(accessKey.value(), secretKey.value());
        // stores other than that of AWS may refuse the checksums of the SDK
        boolean isPlain = endpoint != null;
        return new ObjectStoreConfiguration.S3(
                new S3Settings(bucket, region, endpoint, isPathStyle, isPlain, credentials));
    }

    private RunLimits runs() {
        return new RunLimits(
                settings.seconds("SATCHEL_RUN_LIMIT_SECONDS", EIGHT_HOURS, ONE_WEEK),
                settings.seconds("SATCHEL_RUN_IDLE_SECONDS", 600, ONE_WEEK),
                runLog(),
                settings.integer("REPLAY_TURN_LIMIT", 20, 0, 1000),
                settings.integer("SATCHEL_MAX_ROUNDS", 100, 1, 1000),
                settings.integer("SATCHEL_MAX_QUEUED_MESSAGES", 20, 1, 1000),
                settings.seconds("CHAT_BAG_ZIP_URL_TTL_SECONDS", 300, ONE_WEEK),
                Duration.ofSeconds(settings.integer("SATCHEL_DRAIN_SECONDS", 30, 0, ONE_DAY)),
                settings.integer(
                        "SATCHEL_MAX_CONTINUATIONS", RunLimits.MAX_CONTINUATIONS, 0, 1000));
    }

    private RunLogLimits runLog() {
        return new RunLogLimits(
                MEBIBYTE * settings.integer("SATCHEL_RUN_LOG_MB", 64, 1, 1024),
                settings.integer("SATCHEL_RUN_LOG_LINES", 100_000, 1_000, 1_000_000),
                MEBIBYTE * settings.integer("SATCHEL_MESSAGE_MB", 4, 1, 64),
                KIBIBYTE * settings.integer("SATCHEL_STEP_OUTPUT_KB", 256, 1, 65_536),
                MEBIBYTE * settings.integer("SATCHEL_JOURNAL_MB", 64, 1, 1024),
                Math.toIntExact(
                        MEBIBYTE * settings.integer("SATCHEL_RUN_LOG_QUEUE_MB", 64, 1, 1024)));
    }

    private Ages ages() {
        Ages standard = Ages.standard();
        return new Ages(
                settings.millis("SATCHEL_TEMP_UPLOAD_MAX_AGE_MS", standard.temporaryUpload()),
                settings.millis("AGENT_SERVER_STAGED_FILE_MAX_AGE_MS", standard.stagedFile()),
                settings.millis(
                        "AGENT_SERVER_STAGED_FILE_CLEANUP_INTERVAL_MS", standard.stagedSweep()),
                settings.millis("SATCHEL_WORKSPACE_IDLE_MS", standard.idleWorkspace()),
                settings.millis("SATCHEL_IDEMPOTENCY_MAX_AGE_MS", standard.idempotencyKey()),
                retention(standard.retention()));
    }

    private Retention retention(Retention standard) {
        return new Retention(
                settings.days("SATCHEL_TRASH_DAYS", standard.trash()),
                settings.days("SATCHEL_CHAT_MAX_AGE_DAYS", standard.chat()),
                settings.days("SATCHEL_RUN_MAX_AGE_DAYS", standard.headlessRun()),
                settings.days("SATCHEL_TRACE_MAX_AGE_DAYS", standard.trace()),
                settings.days("SATCHEL_TOKEN_MAX_AGE_DAYS", standard.token()),
                settings.days("SATCHEL_AUDIT_MAX_AGE_DAYS", standard.audit()));
    }

    /** A runner reads the size of workspaces too. */
    private WorkspaceLimits workspaces() {
        WorkspaceLimits standard = WorkspaceLimits.STANDARD;
        SnapshotRetention retention = standard.retention();
        return new WorkspaceLimits(
                new SnapshotRetention(
                        settings.integer("SATCHEL_SNAPSHOTS", retention.count(), 2, 10_000),
                        settings.days("SATCHEL_SNAPSHOT_MAX_AGE_DAYS", retention.age())),
                settings.integer("SATCHEL_DIFF_PATHS", standard.listedPaths(), 1, 1_000_000),
                KIBIBYTE * settings.integer("SATCHEL_DIFF_KB", 1024, 1, 65_536),
                MEBIBYTE
                        * settings.integer(
                                "SATCHEL_SANDBOX_DISK_MB",
                                (int) (standard.bytes() / MEBIBYTE),
                                1,
                                10_000_000),
                settings.integer("SATCHEL_SANDBOX_ENTRIES", standard.entries(), 100, 100_000_000));
    }

    private BagLimits bags() {
        return new BagLimits(
                settings.number("SATCHEL_MAX_FILE_BYTES", 100 * MEBIBYTE, 1),
                settings.integer("SATCHEL_MAX_BAG_FILES", 10_000, 1, 100_000),
                settings.number("SATCHEL_MAX_BAG_BYTES", 1024 * MEBIBYTE, 1),
                settings.integer(
                        "SATCHEL_MAX_OUTPUT_FILES", BagLimits.DEFAULT_OUTPUT_FILES, 1, 100_000));
    }
}
