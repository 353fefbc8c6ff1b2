package dev.satchel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.testing.CheckedHttpClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DependencyErrorsTest {
    /** Every write to this device fails as one to a full disk does. */
    private static final Path FULL = Path.of("/dev/full");

    @Test
    void aFullDiskIs507() throws Exception {
        Router router =
                new Router()
                        .knownFailures(DependencyErrors::of)
                        .get("/livez", _ -> Files.write(FULL, new byte[1]))
                        .get("/metrics", _ -> wrapped());
        HttpServer server =
                HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
        try (server;
                HttpClient client = CheckedHttpClient.create()) {
            HttpResponse<String> response = get(client, server, "/livez");

            assertThat(response.statusCode()).isEqualTo(507);
            assertThat(response.body()).contains("\"code\":\"storage_full\"");
            assertThat(get(client, server, "/metrics").statusCode()).isEqualTo(507);
        }
    }

    private static void wrapped() {
        try {
            Files.write(FULL, new byte[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFullDatabaseIs507() {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            database.write(tx -> tx.query("PRAGMA max_page_count = 1").mapTo(Long.class).one());
            RuntimeException failure =
                    catchThrowableOfType(
                            RuntimeException.class,
                            () ->
                                    database.change(
                                            tx ->
                                                    tx.update(
                                                                    "CREATE TABLE big AS SELECT"
                                                                            + " zeroblob(10000000)"
                                                                            + " AS bytes")
                                                            .execute()));

            assertThat(DependencyErrors.of(failure).orElseThrow().code().status()).isEqualTo(507);
        }
    }

    @Test
    void aMissingBucketIs503(@TempDir Path directory) throws Exception {
        try (S3ProxyProcess s3 = S3ProxyProcess.start(directory);
                S3ObjectStore objects = new S3ObjectStore(s3.settings("no-such-bucket"))) {
            IOException failure =
                    catchThrowableOfType(
                            IOException.class,
                            () ->
                                    objects.put(
                                            new ObjectKey("a/b"),
                                            new ByteArrayInputStream(new byte[1])));

            assertThat(DependencyErrors.of(failure).orElseThrow().code().status()).isEqualTo(503);
        }
    }

    @Test
    void aMistakeOfOursStaysOne(@TempDir Path directory) throws Exception {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                LocalObjectStore objects = new LocalObjectStore(directory)) {
            RuntimeException failure =
                    catchThrowableOfType(
                            RuntimeException.class,
                            () -> database.change(tx -> tx.update("SELEKT").execute()));
            IOException missing =
                    catchThrowableOfType(
                            IOException.class, () -> objects.open(new ObjectKey("a/b")));

            assertThat(DependencyErrors.of(failure)).isEmpty();
            assertThat(DependencyErrors.of(missing)).isEmpty();
        }
    }

    private static HttpResponse<String> get(HttpClient client, HttpServer server, String path)
            throws Exception {
        URI url = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }
}
