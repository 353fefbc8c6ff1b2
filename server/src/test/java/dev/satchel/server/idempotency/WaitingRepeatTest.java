package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.Handler;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaitingRepeatTest {
    private final MovableClock clock = new MovableClock();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore arrived = new Semaphore(0);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        client.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRepeatWaitsForTheFirst(Dialect dialect) throws Exception {
        try (Stage stage = new Stage(dialect, Duration.ofMinutes(1))) {
            CompletableFuture<HttpResponse<String>> first = stage.sendAsync();
            arrived.acquire();
            CompletableFuture<HttpResponse<String>> second = stage.sendAsync();
            mayAnswer.countDown();

            assertThat(first.get().body()).isEqualTo("{\"done\":1}");
            assertThat(second.get().body()).isEqualTo("{\"done\":1}");
            assertThat(done).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRepeatThatWaitsTooLongIs409(Dialect dialect) throws Exception {
        try (Stage stage = new Stage(dialect, Duration.ZERO)) {
            CompletableFuture<HttpResponse<String>> first = stage.sendAsync();
            arrived.acquire();

            HttpResponse<String> second = stage.sendAsync().get();
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains("request_in_progress");
            assertThat(second.headers().firstValue("Retry-After")).hasValue("1");

            mayAnswer.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
            assertThat(stage.sendAsync().get().body()).isEqualTo("{\"done\":1}");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aKeyIsHeldOnlyWhileItsRequestRuns(Dialect dialect) throws Exception {
        try (Stage stage = new Stage(dialect, Duration.ZERO)) {
            CompletableFuture<HttpResponse<String>> first = stage.sendAsync();
            arrived.acquire();

            clock.advance(Duration.ofSeconds(20));
            stage.attempts.renew();
            clock.advance(Duration.ofSeconds(20));
            assertThat(stage.sendAsync().get().statusCode()).isEqualTo(409);

            clock.advance(Duration.ofSeconds(31)); // as if its server had died
            CompletableFuture<HttpResponse<String>> heir = stage.sendAsync();
            arrived.acquire();
            mayAnswer.countDown();
            assertThat(heir.get().statusCode()).isEqualTo(200);
            assertThat(first.get().statusCode()).isEqualTo(200);
            assertThat(done).hasValue(2);
            assertThat(stage.sendAsync().get().body()).isEqualTo(heir.get().body());
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void expiredKeysAreSwept(Dialect dialect) throws Exception {
        try (Stage stage = new Stage(dialect, Duration.ZERO)) {
            mayAnswer.countDown();
            assertThat(stage.sendAsync().get().statusCode()).isEqualTo(200);

            stage.attempts.sweep();
            assertThat(stage.rows()).isEqualTo(1);
            clock.advance(Duration.ofHours(24));
            stage.attempts.sweep();

            assertThat(stage.rows()).isZero();
        }
    }

    /** A server with one handler, which answers when the test lets it. */
    private final class Stage implements AutoCloseable {
        private final Database database;
        private final IdempotentAttempts attempts;
        private final HttpServer server;

        Stage(Dialect dialect, Duration patience) throws Exception {
            database = TestDatabases.fresh(dialect);
            new ApiKeys(database, new AccessStore(), clock)
                    .create(TenantId.DEFAULT, "makes the tenant");
            attempts = new IdempotentAttempts(database, Duration.ofHours(24), clock);
            CallerHandler once =
                    new IdempotentWrites(attempts, patience)
                            .once(
                                    (exchange, _) -> {
                                        arrived.release();
                                        mayAnswer.await();
                                        exchange.json(200, Map.of("done", done.incrementAndGet()));
                                    });
            Handler handler = exchange -> once.handle(exchange, Caller.owner(TenantId.DEFAULT));
            Router router = new Router().post("/", handler);
            server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
        }

        CompletableFuture<HttpResponse<String>> sendAsync() {
            return client.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port()))
                            .header("Idempotency-Key", "key")
                            .POST(BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.ofString());
        }

        long rows() {
            return database.read(
                    tx -> tx.query("SELECT COUNT(*) FROM idempotency_key").mapTo(Long.class).one());
        }

        @Override
        public void close() {
            server.close();
            database.close();
        }
    }
}
