package dev.satchel.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.configuration.Configuration.Monitoring;
import dev.satchel.server.tracing.TracingSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitoringReaderTest {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    @Test
    void withoutACollectorThereAreNoTraces() throws Exception {
        assertThat(read(Map.of())).isEqualTo(Monitoring.STANDARD);
    }

    @Test
    void theVariablesAreThoseOfOpenTelemetry() throws Exception {
        TracingSettings tracing =
                read(Map.of(
                                ENDPOINT,
                                "http://127.0.0.1:4318/",
                                HEADERS,
                                "authorization=Bearer%20a+b=,x-tenant=one",
                                "OTEL_SERVICE_NAME",
                                "satchel-1"))
                        .tracing()
                        .orElseThrow();

        assertThat(tracing.traces()).isEqualTo(URI.create("http://127.0.0.1:4318/v1/traces"));
        assertThat(tracing.headers())
                .isEqualTo(Map.of("authorization", "Bearer a+b=", "x-tenant", "one"));
        assertThat(tracing.service()).isEqualTo("satchel-1");
        assertThat(tracing.toString()).doesNotContain("Bearer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret-value",
                "a=secret-value%0Ax",
                "a b=secret-value",
                "host=secret-value"
            })
    void aHeaderThatCannotBeSentIsAProblemThatDoesNotShowIt(String headers) {
        assertThatThrownBy(() -> read(Map.of(ENDPOINT, "http://127.0.0.1:4318", HEADERS, headers)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(HEADERS)
                .hasMessageNotContaining("secret-value");
    }

    private static Monitoring read(Map<String, String> variables) throws ConfigurationException {
        return ConfigurationReader.read(Map.of(), List.of(), variables)
                .configuration()
                .monitoring();
    }
}
