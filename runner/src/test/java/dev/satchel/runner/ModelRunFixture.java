package dev.satchel.runner;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.model.ModelWireFormat;
import dev.satchel.runner.model.ScriptedProvider;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Runs that are answered by a scripted model provider on loopback. */
abstract class ModelRunFixture extends RunnerFixture {
    ScriptedProvider provider;

    /** The scripted provider listens on loopback, where only the operator lets a run go. */
    @Override
    RunnerConfiguration configuration() {
        return configuration(Map.of("SATCHEL_PRIVATE_HOSTS", "127.0.0.1,localhost"));
    }

    @BeforeEach
    void openProvider() throws IOException {
        provider = new ScriptedProvider();
    }

    @AfterEach
    void closeProvider() {
        provider.close();
    }

    final void use(ModelWireFormat wire, String key) {
        satchel.model =
                new RunConfig.Model(
                        wire.provider().name().toLowerCase(Locale.ROOT),
                        "m",
                        wire.baseUrl(provider),
                        key);
    }
}
