package dev.satchel.client.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.ClientJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentModelTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"deep\"",
                "{}",
                "{\"provider\":\"openai\",\"name\":\"m\",\"baseUrl\":\"https://example.org/v1\"}"
            })
    void aModelIsSentAsItWasRead(String json) {
        AgentModel model = ClientJson.MAPPER.readValue(json, AgentModel.class);

        assertThat(ClientJson.MAPPER.writeValueAsString(model)).isEqualTo(json);
    }
}
