package dev.satchel.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentModelsTest {
    private final List<String> problems = new ArrayList<>();

    @Test
    void withoutAKeyThereAreNoModels() {
        assertThat(of(Map.of("SATCHEL_MODEL", "x", "OPENAI_API_KEY", " ")).models()).isEmpty();
    }

    @Test
    void everyKeyMakesItsModelsUsable() {
        ModelRegistry models =
                of(
                        Map.of(
                                "ANTHROPIC_API_KEY", "a",
                                "OPENAI_API_KEY", "o",
                                "GEMINI_API_KEY", "g",
                                "AWS_BEARER_TOKEN_BEDROCK", "b"));

        assertThat(models.models())
                .extracting(RegisteredModel::provider)
                .contains(
                        RegistryProvider.ANTHROPIC,
                        RegistryProvider.OPENAI,
                        RegistryProvider.GEMINI,
                        RegistryProvider.BEDROCK);
        assertThat(models.models()).allMatch(model -> model.contextTokens() != null);
        assertThat(models.standard()).map(RegisteredModel::id).contains("claude-sonnet-4-6");
        assertThat(models.find("gpt-5").orElseThrow().apiKeyEnv()).isEqualTo("OPENAI_API_KEY");
    }

    @Test
    void theNamedModelIsTheDefaultAndItsProviderIsTheOneThatHasIt() {
        Map<String, String> keys = Map.of("ANTHROPIC_API_KEY", "a", "OPENAI_API_KEY", "o");

        assertThat(standard(keys, "gpt-5").provider()).isEqualTo(RegistryProvider.OPENAI);
        assertThat(standard(keys, "claude-next").provider()).isEqualTo(RegistryProvider.ANTHROPIC);
        assertThat(standard(keys, "o9").provider()).isEqualTo(RegistryProvider.OPENAI);
    }

    @Test
    void aCompatibleServerOffersTheNamedModelBesideTheOtherProvider() {
        ModelRegistry models =
                of(
                        Map.of(
                                "ANTHROPIC_API_KEY", "a",
                                "OPENAI_BASE_URL", "http://127.0.0.1:8000/v1",
                                "SATCHEL_MODEL", "qwen3"));

        RegisteredModel local = models.standard().orElseThrow();
        assertThat(local.id()).isEqualTo("qwen3");
        assertThat(local.baseUrl()).isEqualTo("http://127.0.0.1:8000/v1");
        assertThat(local.apiKeyEnv()).isNull();
        assertThat(models.find("claude-opus-4-6")).isPresent();
        assertThat(models.find("gpt-5")).isEmpty();
    }

    @Test
    void azureAndOllamaHaveAddresses() {
        ModelRegistry models =
                of(
                        Map.of(
                                "AZURE_OPENAI_API_KEY", "k",
                                "AZURE_OPENAI_ENDPOINT", "https://us.openai.azure.com",
                                "OPENAI_API_KEY", "o",
                                "OLLAMA_HOST", "127.0.0.1:11434"));

        assertThat(models.find("azure-openai/gpt-5").orElseThrow().baseUrl())
                .isEqualTo("https://us.openai.azure.com");
        assertThat(models.find("qwen3").orElseThrow().baseUrl())
                .isEqualTo("http://127.0.0.1:11434/v1");
        assertThat(
                        of(Map.of(
                                        "AZURE_OPENAI_API_KEY", "k",
                                        "AZURE_OPENAI_ENDPOINT", "https://us.azure.com",
                                        "AZURE_OPENAI_DEPLOYMENT", "ours"))
                                .models())
                .extracting(RegisteredModel::id)
                .containsExactly("ours");
    }

    @Test
    void aNameThatIsNoIdIsAProblem() {
        ModelRegistry _ = of(Map.of("OPENAI_API_KEY", "o", "SATCHEL_MODEL", "a model"));

        assertThat(problems).containsExactly("SATCHEL_MODEL is not the name of a model: a model");
    }

    private RegisteredModel standard(Map<String, String> keys, String name) {
        Map<String, String> variables = new java.util.HashMap<>(keys);
        variables.put("SATCHEL_MODEL", name);
        return of(variables).standard().orElseThrow();
    }

    private ModelRegistry of(Map<String, String> variables) {
        return EnvironmentModels.of(variables, problems);
    }
}
