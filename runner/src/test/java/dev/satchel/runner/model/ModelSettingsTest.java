package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.model.ModelException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
                        new RunConfig.Model("openai", "llama", "http://elsewhere/v1", null),
                        OperatorModels.of(own));
        assertThat(resolved.apiKey()).isNull();
    }

    @Test
    void keyOfTheRunnerIsNotSentToAnotherProvider() {
        ModelSettings own = new ModelSettings(ModelProvider.OPENAI, "gpt", null, "secret");
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(
                        () ->
                                ModelSettings.resolve(
                                        new RunConfig.Model("anthropic", null, null, null),
                                        OperatorModels.of(own)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.MODEL_NOT_CONFIGURED));
    }

    @Test
    void everyKeyMakesItsProviderUsable() throws Exception {
        OperatorModels both =
                OperatorModels.from(
                        Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "o"), problems);
        assertThat(ModelSettings.resolve(wanted("anthropic", null), both).apiKey()).isEqualTo("a");
        assertThat(ModelSettings.resolve(wanted("openai", null), both).apiKey()).isEqualTo("o");
        assertThat(ModelSettings.resolve(wanted(null, "gpt-5"), both).apiKey()).isEqualTo("o");
        assertThat(ModelSettings.resolve(wanted(null, "claude-x"), both).apiKey()).isEqualTo("a");
    }

    @Test
    void modelOfTheRegistryNamesTheVariableOfItsKeyAndItsFallback() throws Exception {
        OperatorModels own =
                OperatorModels.from(Map.of("TEAM_KEY", "t", "OPENAI_API_KEY", "o"), problems);
        RunConfig.Model fallback = wanted("openai", "gpt-5-mini");
        RunConfig.Model wanted =
                new RunConfig.Model(
                        "team",
                        "anthropic",
                        "claude-x",
                        "http://127.0.0.1:1",
                        null,
                        "TEAM_KEY",
                        200_000,
                        8_000,
                        "high",
                        fallback);
        ModelSettings resolved = ModelSettings.resolve(wanted, own);
        assertThat(resolved.apiKey()).isEqualTo("t");
        assertThat(resolved.isFromRegistry()).isTrue();
        assertThat(resolved.options().contextTokens()).isEqualTo(200_000);
        assertThat(resolved.options().maxOutputTokens()).isEqualTo(8_000);
        assertThat(resolved.options().thinking()).isEqualTo("high");
        assertThat(resolved.options().fallback()).extracting(m -> m.apiKey()).isEqualTo("o");
    }

    @Test
    void variableIsReadOnlyForAModelOfTheRegistry() throws Exception {
        OperatorModels own = OperatorModels.from(Map.of("TEAM_KEY", "t"), problems);
        RunConfig.Model wanted =
                new RunConfig.Model(
                        null,
                        "openai",
                        "m",
                        "http://elsewhere/v1",
                        null,
                        "TEAM_KEY",
                        null,
                        null,
                        null,
                        null);
        assertThat(ModelSettings.resolve(wanted, own).apiKey()).isNull();
    }

    @Test
    void missingVariableOfTheRegistryIsNamed() {
        RunConfig.Model wanted =
                new RunConfig.Model(
                        "team", "openai", "m", null, null, "TEAM_KEY", null, null, null, null);
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(() -> ModelSettings.resolve(wanted, OperatorModels.NONE))
                .withMessageContaining("TEAM_KEY")
                .withMessageContaining("team");
    }

    private static RunConfig.Model wanted(@Nullable String provider, @Nullable String name) {
        return new RunConfig.Model(provider, name, null, null);
    }

    @Test
    void unknownProviderIsNamed() {
        assertThatExceptionOfType(ModelException.class)
                .isThrownBy(
                        () ->
                                ModelSettings.resolve(
                                        new RunConfig.Model("acme", null, null, "k"),
                                        OperatorModels.NONE))
                .withMessageContaining("acme");
    }

    @Test
    void textOfSettingsHidesTheKey() {
        assertThat(new ModelSettings(ModelProvider.OPENAI, "gpt", null, "secret").toString())
                .doesNotContain("secret");
    }
}
