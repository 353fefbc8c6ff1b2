package dev.satchel.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelsFileParserTest {
    private final List<String> problems = new ArrayList<>();

    @Test
    void everyFieldReachesTheRunner() {
        ModelRegistry models =
                parse(
                        """
                        {"models":[
                          {"id":"big","provider":"anthropic","name":"claude-opus-4-6","contextTokens":150000,
                           "maxOutputTokens":9000,"thinking":"high","fallback":"local",
                           "price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
                          {"id":"local","provider":"openai-compatible","name":"qwen3","thinking":2048,
                           "baseUrl":"http://127.0.0.1:8000/v1","apiKeyEnv":"LOCAL_KEY","default":true}
                        ]}
                        """);

        assertThat(problems).isEmpty();
        assertThat(models.standard()).map(RegisteredModel::id).contains("local");
        RunConfig.Model big =
                Objects.requireNonNull(models.complete(RunConfig.Model.ofRegistry("big")));
        RunConfig.Model local =
                new RunConfig.Model(
                        "local",
                        "openai-compatible",
                        "qwen3",
                        "http://127.0.0.1:8000/v1",
                        null,
                        "LOCAL_KEY",
                        null,
                        null,
                        "2048",
                        null);
        assertThat(big)
                .isEqualTo(
                        new RunConfig.Model(
                                "big",
                                "anthropic",
                                "claude-opus-4-6",
                                null,
                                null,
                                "ANTHROPIC_API_KEY",
                                150_000,
                                9_000,
                                "high",
                                local));
        assertThat(models.complete(null)).isEqualTo(local);
    }

    @Test
    void aCallCostsTheSumOfItsTokens() {
        ModelPrice price =
                Objects.requireNonNull(
                        parse(
                                        """
                                        {"models":[{"id":"a","provider":"openai",
                                          "price":{"input":0.25,"output":2,"cacheRead":0.025}}]}
                                        """)
                                .find("a")
                                .orElseThrow()
                                .price());

        assertThat(price.costMicros(1_000, 100, 10_000, 8)).isEqualTo(250 + 200 + 250 + 2);
        assertThat(price.costMicros(1, 0, 0, 0)).isZero();
        assertThat(price.costMicros(2, 0, 0, 0)).isEqualTo(1);
    }

    @Test
    void theIdIsTheNameAndAKnownNameHasItsContext() {
        RegisteredModel model =
                parse("{\"models\":[{\"id\":\"gpt-5\",\"provider\":\"openai\"}]}")
                        .find("gpt-5")
                        .orElseThrow();

        assertThat(model.name()).isEqualTo("gpt-5");
        assertThat(model.contextTokens()).isEqualTo(400_000);
        assertThat(model.price()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"models":[]}                                             | models must be an array
                    {"models":[{"id":"a","provider":"openai"}],"more":1}      | unknown field more
                    not json                                                  | is not JSON
                    {"models":[{"provider":"openai"}]}                        | models[0]: id is missing
                    {"models":[{"id":"a b","provider":"openai"}]}             | models[0]: id must be
                    {"models":["a"]}                                          | models[0]: must be an object
                    {"models":[{"id":"a"}]}                                   | model a: provider is missing
                    {"models":[{"id":"a","provider":"acme"}]}                 | model a: provider must be one of anthropic
                    {"models":[{"id":"a","provider":"openai","nam":"x"}]}     | model a: has an unknown field nam
                    {"models":[{"id":"a","provider":"openai","apiKey":"sk"}]} | model a: apiKey must not be in the file
                    {"models":[{"id":"a","provider":"openai","apiKeyEnv":"sk-1"}]} | model a: apiKeyEnv must be the name
                    {"models":[{"id":"a","provider":"openai","baseUrl":"x"}]} | model a: baseUrl must be
                    {"models":[{"id":"a","provider":"azure-openai"}]}         | model a: baseUrl is missing
                    {"models":[{"id":"a","provider":"openai","contextTokens":"9"}]} | model a: contextTokens must be
                    {"models":[{"id":"a","provider":"openai","thinking":"hard"}]}   | model a: thinking must be
                    {"models":[{"id":"a","provider":"openai","price":{"input":1}}]} | model a: price.output must be
                    {"models":[{"id":"a","provider":"openai","price":{"output":1}}]} | model a: price.input must be
                    {"models":[{"id":"a","provider":"openai","price":{"input":1,"output":-1}}]} | model a: price.output must be
                    {"models":[{"id":"a","provider":"openai","price":{"input":1,"output":1,"x":1}}]} | price.x
                    {"models":[{"id":"a","provider":"openai","default":"yes"}]} | model a: default must be true or false
                    {"models":[{"id":"a","provider":"openai"},{"id":"a","provider":"openai"}]} | model a: id is that of an earlier
                    {"models":[{"id":"a","provider":"openai","fallback":"b"}]} | model a: fallback is not a model here: b
                    {"models":[{"id":"a","provider":"openai","fallback":"a"}]} | model a: fallback is a circle: a → a
                    {"models":[{"id":"a","provider":"openai","default":true},{"id":"b","provider":"openai","default":true}]} | model b: default is true for a too
                    """)
    void aProblemNamesTheEntryAndTheField(String json, String problem) {
        ModelRegistry _ = parse(json);

        assertThat(problems).singleElement().asString().contains(problem);
    }

    @Test
    void aLongerCircleIsNamedForEachOfItsModels() {
        ModelRegistry _ =
                parse(
                        """
                        {"models":[{"id":"a","provider":"openai","fallback":"b"},
                                   {"id":"b","provider":"openai","fallback":"c"},
                                   {"id":"c","provider":"openai","fallback":"b"}]}
                        """);

        assertThat(problems)
                .containsExactly(
                        "model b: fallback is a circle: b → c → b",
                        "model c: fallback is a circle: c → b → c");
    }

    private ModelRegistry parse(String json) {
        return ModelsFileParser.parse(json, problems);
    }
}
