package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose runs no control group limits, as that of {@code unsafe} sandboxes. */
@Timeout(60)
class OneTenantTest {
    private static final Map<String, String> KEY_OF_ANOTHER =
            Map.of("name", "test", "workspaceId", "another");

    @TempDir private Path data;

    @Test
    void aSecondTenantIsRefusedWithoutControlGroups() throws Exception {
        try (TestServer server = start(false)) {
            HttpResponse<String> refused = server.post("/api/keys", KEY_OF_ANOTHER);

            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body())
                    .contains("no control group", "SATCHEL_TENANTS_WITHOUT_CONTROL_GROUPS");
            assertThat(server.post("/api/keys", Map.of("name", "own")).statusCode()).isEqualTo(201);
        }
    }

    @Test
    void aServerOfSeveralTenantsDoesNotStartWithoutControlGroups() throws Exception {
        try (TestServer server = start(true)) {
            assertThat(server.post("/api/keys", KEY_OF_ANOTHER).statusCode()).isEqualTo(201);
        }

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(false))
                .withMessageContaining("SATCHEL_TENANTS_WITHOUT_CONTROL_GROUPS");
        start(true).close();
    }

    private TestServer start(boolean sharesWithoutLimits) throws Exception {
        SandboxConfiguration unsafe =
                new SandboxConfiguration.Embedded(
                        Map.of("PATH", System.getenv("PATH"), "SATCHEL_SANDBOX", "unsafe"),
                        sharesWithoutLimits);
        return TestServer.start(
                TestConfiguration.withSandbox(TestServer.whole(data), unsafe), Clock.systemUTC());
    }
}
