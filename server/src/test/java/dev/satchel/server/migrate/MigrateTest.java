package dev.satchel.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.Main;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code satchel migrate} as an operator runs it, from a server that was in use. */
@Timeout(300)
class MigrateTest {
    @TempDir private static Path shared;

    private static S3ProxyProcess stores;
    private static Path filled;
    private static Map<String, String> picture;

    private S3Settings bucket;
    private URI database;

    @BeforeAll
    static void fill() throws Exception {
        stores = S3ProxyProcess.start(Files.createDirectory(shared.resolve("s3")));
        filled = shared.resolve("filled");
        try (FilledServer server = FilledServer.start(filled, null, null)) {
            server.fill();
            for (int i = 0; i < 40; i++) {
                server.asset("asset-" + i + ".txt", "content " + i);
            }
            picture = server.picture();
        }
    }

    @AfterAll
    static void stop() {
        stores.close();
    }

    @BeforeEach
    void makeTargets() {
        bucket = stores.newBucket();
        database = TestDatabases.freshPostgresql();
    }

    @Test
    void everythingIsThereOnAnotherMachine(@TempDir Path machine) throws Exception {
        Outcome moved = migrate(database, bucket);

        assertThat(moved.code()).as(moved.printed()).isZero();
        assertThat(moved.printed()).contains("are there", "Done.");
        try (FilledServer server = FilledServer.start(machine, database, bucket)) {
            Map<String, String> now = new HashMap<>(server.picture());
            String keys = Objects.requireNonNull(now.remove("/api/keys"));
            Map<String, String> before = new HashMap<>(picture);
            assertThat(keys).isEqualTo(before.remove("/api/keys"));
            assertThat(now).isEqualTo(before);
            assertThat(server.goesOn("/sh cat d/a.txt")).contains("two");
        }
    }

    @Test
    void killedHalfWayItIsSimplyRunAgain(@TempDir Path machine) throws Exception {
        killAt("files: 10 of ");
        killAt("files: 20 of ");
        killAt("rows: conversation ");

        Outcome moved = migrate(database, bucket);

        assertThat(moved.code()).as(moved.printed()).isZero();
        try (FilledServer server = FilledServer.start(machine, database, bucket)) {
            assertThat(server.picture()).isEqualTo(picture);
        }
    }

    @Test
    void anotherTimeItOnlyVerifies() throws Exception {
        migrate(database, bucket);

        Outcome again = migrate(database, bucket);

        assertThat(again.code()).as(again.printed()).isZero();
        assertThat(again.printed()).contains("files: 0 to copy", "rows: are there already");
    }

    @Test
    void filesOfALiveDirectoryThatNoSnapshotHoldsMoveToo(@TempDir Path machine) throws Exception {
        Path killed = copyOf(filled); // whose server had no time to keep what came last
        Path workspace = theOneWith("d/noise.bin", killed.resolve("runner/workspaces"));
        Files.writeString(workspace.resolve("d/a.txt"), "three");
        Files.writeString(workspace.resolve("late.txt"), "put in after the last turn");

        Outcome moved = migrate(killed, database, bucket);
        Outcome again = migrate(killed, database, bucket);

        assertThat(moved.code()).as(moved.printed()).isZero();
        assertThat(moved.printed()).contains("workspaces: 1 had changed");
        assertThat(again.printed())
                .doesNotContain("workspaces:")
                .contains("rows: are there already");
        try (FilledServer server = FilledServer.start(machine, database, bucket)) {
            assertThat(server.goesOn("/sh cat d/a.txt late.txt"))
                    .contains("three", "put in after the last turn");
        }
    }

    @Test
    void aDatabaseInUseIsRefusedAndNothingIsCopied(@TempDir Path machine) throws Exception {
        FilledServer.start(machine, database, bucket).close();

        Outcome refused = migrate(database, bucket);

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.printed()).contains("the target database is not empty");
        try (ObjectStore target = new S3ObjectStore(bucket)) {
            assertThat(target.list("")).isEmpty();
        }
    }

    @Test
    void aBucketInUseIsRefused() throws Exception {
        try (ObjectStore target = new S3ObjectStore(bucket)) {
            target.put(new ObjectKey("holiday/photo.jpg"), new ByteArrayInputStream(new byte[1]));
        }

        Outcome refused = migrate(database, bucket);

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.printed())
                .contains("the target bucket is not empty", "holiday/photo.jpg");
    }

    @Test
    void rowsAloneMayMove() throws Exception {
        Outcome moved = migrate(database, null);

        assertThat(moved.code()).as(moved.printed()).isZero();
        try (FilledServer server = FilledServer.start(copyOfObjects(), database, null)) {
            assertThat(server.picture()).isEqualTo(picture);
        }
    }

    @Test
    void aServerThatRunsIsNotTornFromItsData(@TempDir Path machine) throws Exception {
        try (FilledServer _ = FilledServer.start(machine, null, null)) {
            Outcome refused = migrate(machine, database, bucket);

            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.printed()).contains("another Satchel");
        }
    }

    @Test
    void withoutATargetItIsWrongUse() throws Exception {
        assertThat(migrate(null, null).code()).isEqualTo(2);
    }

    private record Outcome(int code, String printed) {}

    private void killAt(String line) throws IOException {
        Process process = start(filled, database, bucket);
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder printed = new StringBuilder();
            for (String next = output.readLine();
                    !next.startsWith(line);
                    next = output.readLine()) {
                printed.append(next).append('\n');
                assertThat(printed.toString()).doesNotContain("Done.");
            }
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static Outcome migrate(@Nullable URI database, @Nullable S3Settings bucket)
            throws IOException, InterruptedException {
        return migrate(filled, database, bucket);
    }

    private static Outcome migrate(Path data, @Nullable URI database, @Nullable S3Settings bucket)
            throws IOException, InterruptedException {
        Process process = start(data, database, bucket);
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), printed);
    }

    private static Process start(Path data, @Nullable URI database, @Nullable S3Settings bucket)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "migrate",
                                "--data",
                                data.toString()));
        Map<String, String> environment = builder.environment();
        if (database != null) {
            environment.put("DATABASE_URL", database.toString());
        }
        if (bucket != null) {
            S3Settings.Credentials pair = Objects.requireNonNull(bucket.credentials());
            environment.put("SATCHEL_S3_BUCKET", bucket.bucket());
            environment.put("SATCHEL_S3_ENDPOINT", String.valueOf(bucket.endpoint()));
            environment.put("SATCHEL_S3_ACCESS_KEY", pair.accessKey());
            environment.put("SATCHEL_S3_SECRET_KEY", pair.secretKey());
            environment.put("SATCHEL_S3_PATH_STYLE", "true");
        }
        return builder.redirectErrorStream(true).start();
    }

    /** The files of the filled server, and nothing else of it. */
    private static Path copyOfObjects() throws IOException, InterruptedException {
        return Objects.requireNonNull(copyOf(filled.resolve("objects")).getParent());
    }

    /** In a separate folder. */
    private static Path copyOf(Path folder) throws IOException, InterruptedException {
        Path copies = Files.createTempDirectory(shared, "copy-");
        ProcessBuilder cp = new ProcessBuilder("cp", "-a", folder.toString(), copies.toString());
        assertThat(cp.inheritIO().start().waitFor()).isZero();
        return copies.resolve(folder.getFileName());
    }

    private static Path theOneWith(String file, Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(one -> Files.exists(one.resolve(file))).findFirst().orElseThrow();
        }
    }
}
