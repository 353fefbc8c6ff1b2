package dev.satchel.server.command;

import dev.satchel.protocol.Json;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.NodeCheck;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration.Docker;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Kubernetes;
import dev.satchel.server.configuration.SandboxConfiguration.None;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.doctor.Finding;
import dev.satchel.server.doctor.ModelCheck;
import dev.satchel.server.doctor.ObjectStoreCheck;
import dev.satchel.server.doctor.SandboxCheck;
import dev.satchel.server.doctor.ServerCheck;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.sandbox.FixedSandboxProvider;
import dev.satchel.server.sandbox.docker.DockerSandboxProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** Checks everything that a server needs, with the settings of {@code serve}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Checks this machine, the settings and the running server.")
final class DoctorCommand implements Callable<Integer> {
    private static final String DATABASE = "database";
    private static final String OBJECTS = "object store";
    private static final long LITTLE_SPACE = 1_000_000_000;

    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Option(
            names = "--url",
            description =
                    "The server as browsers see it (SATCHEL_URL or SATCHEL_PUBLIC_URL; else this machine's)",
            defaultValue = "${env:SATCHEL_URL:-" + Option.NULL_VALUE + "}")
    private @Nullable URI url;

    @Option(names = "--json", description = "Print JSON, one object a line")
    private boolean isJson;

    @Unmatched private final List<String> unknown = new ArrayList<>();

    DoctorCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    /** Exits with 1 when there is a problem; warnings do not count. */
    @Override
    public Integer call() throws ConfigurationException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        boolean isOk = true;
        for (Finding finding : findings(configuration)) {
            print(finding);
            isOk = isOk && finding.level() != Finding.Level.PROBLEM;
        }
        return isOk ? 0 : 1;
    }

    private List<Finding> findings(Configuration configuration) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("jdk", Runtime.version().toString()));
        findings.addAll(sandbox(configuration.sandbox()));
        findings.add(database(configuration.storage()));
        if (configuration.storage().database()
                instanceof DatabaseConfiguration.Postgresql postgresql) {
            findings.addAll(NodeCheck.check(postgresql.url()));
        }
        findings.add(objects(configuration.storage().objects()));
        if (!(configuration.sandbox() instanceof Remote)) {
            try (ModelCheck check = new ModelCheck(variables)) {
                findings.addAll(check.check(configuration.models()));
            }
        }
        try (ServerCheck server = new ServerCheck(address(configuration.network()))) {
            findings.addAll(server.check());
        }
        return findings;
    }

    private URI address(Configuration.Network network) {
        if (url != null) {
            return url;
        }
        URI configured = network.publicUrl();
        return configured == null ? network.localUrl(network.port()) : configured;
    }

    private List<Finding> sandbox(SandboxConfiguration sandbox) {
        return switch (sandbox) {
            case Embedded _, None _ -> SandboxCheck.check(variables);
            case Remote remote -> List.of(remote(remote.url()));
            case Docker docker -> List.of(engine(docker));
            case Kubernetes _ -> List.of(); // the server reports its cluster at /readyz
        };
    }

    private static Finding engine(Docker docker) {
        Path socket = docker.engine().socket();
        try {
            DockerSandboxProvider.check(socket, docker.image());
            return Finding.ok("engine", socket + " has the image " + docker.image());
        } catch (IOException e) {
            return Finding.problem("engine", socket + ": " + e.getMessage());
        }
    }

    private static Finding remote(URI runner) {
        try {
            new FixedSandboxProvider(runner, null).probe();
            return Finding.ok("runner", "answers at " + runner);
        } catch (IOException e) {
            return Finding.problem("runner", "none answers at " + runner);
        }
    }

    private static Finding database(StorageConfiguration storage) {
        return switch (storage.database()) {
            case DatabaseConfiguration.Sqlite _ -> dataDirectory(storage.dataDirectory());
            case DatabaseConfiguration.Postgresql postgresql -> postgresql(postgresql);
        };
    }

    private static Finding dataDirectory(Path directory) {
        if (!Files.exists(directory)) {
            return Finding.ok(DATABASE, directory + " will be created at the first start");
        }
        if (!Files.isWritable(directory)) {
            return Finding.problem(DATABASE, "cannot write to the data folder " + directory);
        }
        return Finding.ok(DATABASE, "SQLite in " + directory);
    }

    private static Finding postgresql(DatabaseConfiguration.Postgresql configuration) {
        try {
            DatabaseOpener.ping(configuration);
            return Finding.ok(DATABASE, configuration.toString());
        } catch (StartException e) {
            return Finding.problem(DATABASE, e);
        }
    }

    private static Finding objects(ObjectStoreConfiguration objects) {
        return switch (objects) {
            case ObjectStoreConfiguration.Local(Path directory) -> localObjects(directory);
            case ObjectStoreConfiguration.S3(S3Settings settings) -> bucket(settings);
        };
    }

    private static Finding localObjects(Path directory) {
        if (!Files.exists(directory)) {
            return Finding.ok(OBJECTS, directory + " will be created at the first start");
        }
        try (ObjectStore store = new LocalObjectStore(directory)) {
            long free = Files.getFileStore(directory).getUsableSpace();
            return free < LITTLE_SPACE
                    ? Finding.warning(OBJECTS, directory + ": less than 1 GB is free")
                    : ObjectStoreCheck.check(store, directory.toString());
        } catch (IOException e) {
            return Finding.problem(OBJECTS, e);
        }
    }

    private static Finding bucket(S3Settings settings) {
        try (ObjectStore store = new S3ObjectStore(settings)) {
            return ObjectStoreCheck.check(store, "bucket " + settings.bucket());
        }
    }

    private void print(Finding finding) {
        System.out.println(
                isJson
                        ? Json.MAPPER.writeValueAsString(
                                Map.of(
                                        "name", finding.name(),
                                        "level", word(finding),
                                        "detail", finding.detail()))
                        : String.format(
                                Locale.ROOT,
                                "%-8s %-16s %s",
                                word(finding),
                                finding.name(),
                                finding.detail()));
    }

    private static String word(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}
