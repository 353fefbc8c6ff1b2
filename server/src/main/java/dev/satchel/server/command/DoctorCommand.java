package dev.satchel.server.command;

import dev.satchel.protocol.Json;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.Storage;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.doctor.Finding;
import dev.satchel.server.doctor.ModelCheck;
import dev.satchel.server.doctor.ObjectStoreCheck;
import dev.satchel.server.doctor.SandboxCheck;
import dev.satchel.server.doctor.ServerCheck;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
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

/** Everything a server needs, looked at with the settings that it would start with. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Looks for what is missing or wrong, here and at the running server.")
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

    /** Problems end with 1, warnings do not. */
    @Override
    public Integer call() throws ConfigurationException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        boolean isWell = true;
        for (Finding finding : findings(configuration)) {
            print(finding);
            isWell = isWell && finding.level() != Finding.Level.PROBLEM;
        }
        return isWell ? 0 : 1;
    }

    private List<Finding> findings(Configuration configuration) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("jdk", Runtime.version().toString()));
        URI runner = configuration.sandbox().url();
        findings.addAll(sandbox(configuration.sandbox()));
        findings.add(database(configuration.storage()));
        findings.add(objects(configuration.storage()));
        if (runner == null) {
            findings.add(ModelCheck.check(variables));
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
        URI known = network.publicUrl();
        return known == null ? network.localUrl(network.port()) : known;
    }

    private List<Finding> sandbox(Configuration.Sandbox sandbox) {
        if (sandbox.url() != null) {
            return List.of(elsewhere(sandbox.url()));
        }
        return switch (sandbox.own()) {
            case DOCKER -> List.of(engine(sandbox.containers()));
            case KUBERNETES -> List.of(); // a running server tells of its cluster at /readyz
            case EMBEDDED, NONE -> SandboxCheck.check(variables);
        };
    }

    private static Finding engine(Configuration.Containers containers) {
        Path socket = containers.docker().socket();
        try {
            DockerSandboxProvider.check(socket, containers.image());
            return Finding.ok("engine", socket + " has the image " + containers.image());
        } catch (IOException e) {
            return Finding.problem("engine", socket + ": " + e.getMessage());
        }
    }

    private static Finding elsewhere(URI runner) {
        try {
            new FixedSandboxProvider(runner, null).probe();
            return Finding.ok("runner", "answers at " + runner);
        } catch (IOException e) {
            return Finding.problem("runner", "none answers at " + runner);
        }
    }

    private static Finding database(Storage storage) {
        if (storage.databaseUrl() != null) {
            try {
                DatabaseOpener.ping(storage.databaseUrl());
                return Finding.ok(DATABASE, storage.databaseUrl().toString());
            } catch (StartException e) {
                return Finding.problem(DATABASE, e);
            }
        }
        Path folder = storage.dataFolder();
        if (!Files.exists(folder)) {
            return Finding.ok(DATABASE, folder + " will be made at the first start");
        }
        if (!Files.isWritable(folder)) {
            return Finding.problem(DATABASE, "cannot write to the data folder " + folder);
        }
        return Finding.ok(DATABASE, "SQLite in " + folder);
    }

    private static Finding objects(Storage storage) {
        Configuration.S3 s3 = storage.s3();
        if (s3 != null) {
            try (ObjectStore store = new S3ObjectStore(s3.settings())) {
                return ObjectStoreCheck.check(store, "bucket " + s3.bucket());
            }
        }
        Path folder = storage.dataFolder().resolve("objects");
        if (!Files.exists(folder)) {
            return Finding.ok(OBJECTS, folder + " will be made at the first start");
        }
        try (ObjectStore store = new LocalObjectStore(folder)) {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free < LITTLE_SPACE
                    ? Finding.warning(OBJECTS, folder + ": less than 1 GB is free")
                    : ObjectStoreCheck.check(store, folder.toString());
        } catch (IOException e) {
            return Finding.problem(OBJECTS, e);
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
