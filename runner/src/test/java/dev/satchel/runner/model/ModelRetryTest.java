package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.image.ImageLimits;
import dev.satchel.runner.model.ModelException.Code;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ModelRetryTest {
    private static final Clock NOW =
            Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    private final ModelWireFormat wire = new ModelWireFormat.OpenAi();
    private final OutboundHttpClient connections = new OutboundHttpClient();
    private final List<Duration> waits = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private ScriptedProvider server;
    private ScriptedProvider other;

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedProvider();
        other = new ScriptedProvider(new ModelWireFormat.Anthropic());
    }

    @AfterEach
    void close() {
        connections.close();
        server.close();
        other.close();
    }

    private Model model(RetryPolicy.Sleeper sleeper) throws ModelException {
        RunConfig.Model fallback = model("spare", "anthropic", other.url(), null);
        RunConfig.Model wanted = model("main", "openai", wire.baseUrl(server), fallback);
        return new ModelFactory(
                        new OperatorModels(List.of(), Map.of("SPARE_KEY", "sk-spare")),
                        Duration.ofSeconds(30),
                        connections,
                        connections,
                        ReachableHosts.NONE,
                        new RetryPolicy(NOW, sleeper, () -> 0))
                .find(wanted)
                .orElseThrow();
    }

    private static RunConfig.Model model(
            String id, String provider, String url, RunConfig.@Nullable Model fallback) {
        return new RunConfig.Model(
                id, provider, "m-" + id, url, null, "SPARE_KEY", null, null, null, fallback);
    }

    private ModelReply ask(Model model) throws Exception {
        return model.ask(ModelContract.question("hello"), List.of(), listener);
    }

    private void refuse(int status, String header, String value) {
        server.then(
                exchange -> {
                    exchange.getResponseHeaders().set(header, value);
                    ScriptedProvider.send(exchange, status, "application/json", "{}");
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504, 529})
    void statusThatMayPassIsRepeated(int status) throws Exception {
        server.thenRefuse(status, "{}");
        server.thenStream(wire.text("ok"));
        assertThat(ask(model(waits::add)).text()).isEqualTo("ok");
        assertThat(waits).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 422})
    void statusThatStaysIsNotRepeated(int status) throws Exception {
        server.thenRefuse(status, "{}");
        other.thenStream(new ModelWireFormat.Anthropic().text("spare"));
        ask(model(waits::add));
        assertThat(waits).isEmpty();
        assertThat(server.asked()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "Retry-After, 7, 7000",
        "Retry-After, 0, 0",
        "Retry-After, 'Thu, 01 Jan 2026 00:01:30 GMT', 90000",
        "retry-after-ms, 250, 250",
        "Retry-After, soon, 1000"
    })
    void waitOfTheProviderIsHonoured(String header, String value, long millis) throws Exception {
        refuse(429, header, value);
        server.thenStream(wire.text("ok"));
        ask(model(waits::add));
        assertThat(waits).containsExactly(Duration.ofMillis(millis));
        assertThat(listener.retries).singleElement().asString().startsWith("1 " + millis + " ");
    }

    @Test
    void waitThatIsTooLongEndsTheTriesAndIsNamed() throws Exception {
        refuse(429, "Retry-After", "121");
        other.refuseAll(401, "{}");
        Model model = model(waits::add);
        assertThatExceptionOfType(ModelException.class).isThrownBy(() -> ask(model));
        assertThat(waits).isEmpty();
        assertThat(listener.retries).singleElement().asString().contains("wait 121 s", "spare");
    }

    @Test
    void waitsDoubleAndTheFifthTryIsTheLast() throws Exception {
        server.refuseAll(503, "{\"error\":{\"message\":\"busy\"}}");
        other.thenStream(new ModelWireFormat.Anthropic().text("spare"));
        other.thenStream(new ModelWireFormat.Anthropic().text("again"));
        Model model = model(waits::add);
        assertThat(ask(model).text()).isEqualTo("spare");
        assertThat(waits)
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(8));
        assertThat(server.asked()).hasSize(5);
        assertThat(listener.retries.getLast()).contains("busy", "5 times", "Asking spare instead");
        assertThat(listener.usage().model()).isEqualTo("spare");
        assertThat(listener.usage().provider()).isEqualTo("anthropic");

        assertThat(ask(model).text()).isEqualTo("again"); // the run stays with the fallback
        assertThat(server.asked()).hasSize(5);
    }

    @Test
    void waitsAreShortenedByUpToHalfAndNeverOverAMinute() {
        RetryPolicy longest = new RetryPolicy(NOW, waits::add, () -> 0);
        RetryPolicy shortest = new RetryPolicy(NOW, waits::add, () -> 1);
        assertThat(longest.backOff(9)).isEqualTo(Duration.ofMinutes(1));
        assertThat(shortest.backOff(9)).isEqualTo(Duration.ofSeconds(30));
        assertThat(shortest.backOff(1)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void refusedConnectionIsRepeatedThenTheFallbackIsAsked() throws Exception {
        Model model = model(waits::add);
        server.close();
        other.thenStream(new ModelWireFormat.Anthropic().text("spare"));
        assertThat(ask(model).text()).isEqualTo("spare");
        assertThat(waits).hasSize(4);
        assertThat(listener.models).containsExactly("main", "main", "main", "main", "spare");
    }

    @Test
    void resetConnectionIsRepeated() throws Exception {
        server.then(
                exchange -> {
                    exchange.sendResponseHeaders(200, 1_000); // and closes after fewer bytes
                    exchange.getResponseBody().write(wire.encode(wire.unfinished("I thi")));
                    throw new IOException("reset");
                });
        server.thenStream(wire.text("ok"));
        assertThat(ask(model(waits::add)).text()).isEqualTo("ok");
        assertThat(listener.text).hasToString("ok");
    }

    @Test
    void interruptEndsTheWaiting() throws Exception {
        server.thenRefuse(503, "{}");
        Model model =
                model(
                        _ -> {
                            Thread.currentThread().interrupt();
                            Thread.sleep(Duration.ofDays(1)); // ends at once
                        });
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> ask(model));
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void refusalOfTheModelIsNotAskedElsewhere() throws Exception {
        server.thenStream(wire.refusal("No."));
        Model model = model(waits::add);
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(() -> ask(model))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.MODEL_REFUSED));
        assertThat(other.asked()).isEmpty();
    }

    @Test
    void missingCreditIsNotRepeated() throws Exception {
        server.thenRefuse(
                429, "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"check billing\"}}");
        other.thenStream(new ModelWireFormat.Anthropic().text("spare"));
        ask(model(waits::add));
        assertThat(waits).isEmpty();
        assertThat(listener.retries)
                .singleElement()
                .asString()
                .startsWith("1 0 ")
                .contains("credit", "check billing.");
    }

    @Test
    void imagesFitEveryModelThatMayBeAsked() throws Exception {
        Model model = model(waits::add);
        assertThat(model.imageLimits())
                .isEqualTo(new ImageLimits(5 * 1024 * 1024 / 4 * 3, 8_000, 1_568));
    }
}
