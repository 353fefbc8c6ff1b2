package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.outbound.PrivateHosts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpenAiModelTest extends OpenAiFormatContract {
    @Override
    ModelWireFormat wire() {
        return new ModelWireFormat.OpenAi();
    }

    @Test
    void keyGoesAsBearerToTheGivenBasePath() throws Exception {
        server.thenStream(wire().text("ok"));
        ask(question("hello"));
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/chat/completions");
        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer " + KEY);
    }

    @Test
    void endpointWithoutKeyIsCalledWithoutKey() throws Exception {
        server.thenStream(wire().text("ok"));
        ModelSettings keyless =
                new ModelSettings(ModelProvider.OPENAI, "llama", wire().baseUrl(server), null);
        models =
                new ModelFactory(
                        OperatorModels.of(keyless),
                        Duration.ofSeconds(30),
                        connections,
                        connections,
                        PrivateHosts.NONE,
                        RetryPolicy.of(1, Duration.ZERO));
        ask(question("hello"));
        assertThat(server.asked().getLast().headers()).doesNotContainKey("Authorization");
    }
}
