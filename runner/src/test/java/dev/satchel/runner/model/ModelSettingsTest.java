package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.model.ModelException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelSettingsTest {
    private final List<String> problems = new ArrayList<>();

    private Optional<ModelSettings> from(Map<String, String> environment) {
        return ModelSettings.from(environment, problems);
    }

    @Test
    void withoutSettingsThereIsNoModel() {
        assertThat(from(Map.of("SATCHEL_MODEL", "x", "ANTHROPIC_API_KEY", " "))).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void anthropicKeyGivesItsDefaultModel() {
        assertThat(from(Map.of("ANTHROPIC_API_KEY", "k")))
                .contains(
                        new ModelSettings(
                                ModelProvider.ANTHROPIC,
                                ModelProvider.ANTHROPIC.defaultModel(),
                                null,
                                "k"));
    }

    @Test
    void compatibleEndpointNeedsNoKey() {
        assertThat(from(Map.of("OPENAI_BASE_URL", "http://h:1/v1", "SATCHEL_MODEL", "llama")))
                .contains(new ModelSettings(ModelProvider.OPENAI, "llama", "http://h:1/v1", null));
    }

    @Test
    void nameOfTheModelDecidesWhenBothProvidersAreSetUp() {
        Map<String, String> both = Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "o");
        assertThat(from(both)).map(ModelSettings::provider).contains(ModelProvider.ANTHROPIC);
        Map<String, String> named =
                Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "o", "SATCHEL_MODEL", "gpt-5");
        assertThat(from(named)).map(ModelSettings::apiKey).contains("o");
    }

    @Test
    void invalidAddressIsAProblemThatNamesTheVariable() {
        assertThat(from(Map.of("OPENAI_BASE_URL", "localhost:11434"))).isEmpty();
        assertThat(problems).singleElement().asString().contains("OPENAI_BASE_URL");
    }

    @Test
    void invalidKeyIsAProblemThatDoesNotRepeatIt() {
        assertThat(from(Map.of("OPENAI_API_KEY", "sk-se\ncret"))).isEmpty();
        assertThat(problems)
                .singleElement()
                .asString()
                .contains("OPENAI_API_KEY")
                .doesNotContain("cret");
    }

    @Test
    void keyOfTheRunnerIsNotSentToAnotherEndpoint() throws Exception {
        ModelSettings own = new ModelSettings(ModelProvider.OPENAI, "gpt", null, "secret");
        ModelSettings resolved =
                ModelSettings.resolve(
                        new RunConfig.Model("openai", "llama", "http://elsewhere/v1", null), own);
        assertThat(resolved.apiKey()).isNull();
    }

    @Test
    void keyOfTheRunnerIsNotSentToAnotherProvider() {
        ModelSettings own = new ModelSettings(ModelProvider.OPENAI, "gpt", null, "secret");
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(
                        () ->
                                ModelSettings.resolve(
                                        new RunConfig.Model("anthropic", null, null, null), own))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.MODEL_NOT_CONFIGURED));
    }

    @Test
    void unknownProviderIsNamed() {
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(
                        () ->
                                ModelSettings.resolve(
                                        new RunConfig.Model("acme", null, null, "k"), null))
                .withMessageContaining("acme");
    }

    @Test
    void textOfSettingsHidesTheKey() {
        assertThat(new ModelSettings(ModelProvider.OPENAI, "gpt", null, "secret").toString())
                .doesNotContain("secret");
    }
}
