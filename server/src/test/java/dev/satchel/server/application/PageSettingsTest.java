package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.model.EnvironmentModels;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.web.PageSettingsRoutes;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageSettingsTest {
    @Test
    void ourOwnRunnersModelIsNamedAndItsKeyIsNot() {
        PageSettingsRoutes.Settings settings =
                settings(
                        new SandboxConfiguration.Embedded(
                                Map.of("OPENAI_API_KEY", "sk-secret", "SATCHEL_MODEL", "gpt-x")));

        assertThat(settings.runner()).isEqualTo("own");
        assertThat(settings.model()).isEqualTo(new PageSettingsRoutes.Model("openai", "gpt-x"));
        assertThat(settings.toString()).doesNotContain("sk-secret");
    }

    @Test
    void withoutAKeyThereIsNoModel() {
        PageSettingsRoutes.Settings settings =
                settings(new SandboxConfiguration.Embedded(Map.of()));

        assertThat(settings.runner()).isEqualTo("own");
        assertThat(settings.model()).isNull();
    }

    @Test
    void aRunnerElsewhereKeepsItsModelToItself() {
        PageSettingsRoutes.Settings settings =
                settings(TestConfiguration.remote(URI.create("http://127.0.0.1:9")));

        assertThat(settings.runner()).isEqualTo("elsewhere");
        assertThat(settings.model()).isNull();
    }

    private static PageSettingsRoutes.Settings settings(SandboxConfiguration sandbox) {
        Configuration plain = TestServer.configuration(Path.of("unused"), null, null);
        ModelRegistry models =
                sandbox instanceof SandboxConfiguration.Embedded embedded
                        ? EnvironmentModels.of(embedded.variables(), new ArrayList<>())
                        : ModelRegistry.EMPTY;
        return PageSettings.of(
                TestConfiguration.withModels(TestConfiguration.withSandbox(plain, sandbox), models),
                Optional.empty());
    }
}
