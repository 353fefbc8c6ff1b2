package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class AnthropicModelTest extends AnthropicFormatContract {
    @Override
    ModelWireFormat wire() {
        return new ModelWireFormat.Anthropic();
    }

    @Test
    void keyGoesInItsOwnHeaderToTheVersionedPath() throws Exception {
        server.thenStream(wire().text("ok"));
        ask(question("hello"));
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/messages");
        assertThat(asked.headers().getFirst("x-api-key")).isEqualTo(KEY);
        assertThat(asked.headers().getFirst("anthropic-version")).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "claude-3-5-haiku-latest    | -      | -",
                "claude-3-7-sonnet-latest   | -      | {\"type\":\"enabled\",\"budget_tokens\":4000}",
                "claude-sonnet-4-20250514   | high   | {\"type\":\"enabled\",\"budget_tokens\":16000}",
                "claude-sonnet-4-6          | -      | {\"type\":\"adaptive\",\"display\":\"summarized\"}",
                "claude-sonnet-4-6          | off    | -",
                "claude-sonnet-4-5-20250929 | 20000  | {\"type\":\"enabled\",\"budget_tokens\":20000}",
                "own-model                  | -      | -",
                "own-model                  | low    | {\"type\":\"enabled\",\"budget_tokens\":2000}"
            })
    void thinkingIsAskedForAsTheModelWantsIt(
            String name, @Nullable String thinking, @Nullable String expected) throws Exception {
        server.thenStream(wire().text("ok"));
        RunConfig.Model wanted =
                new RunConfig.Model(
                        "m", "anthropic", name, null, KEY, null, null, null, thinking, null);
        models.find(wanted).orElseThrow().ask(question("hello"), List.of(), heard::add);
        JsonNode body = lastBody();
        assertThat(body.has("thinking") ? body.path("thinking").toString() : null)
                .isEqualTo(expected);
        int budget = body.at("/thinking/budget_tokens").asInt(0);
        assertThat(body.path("max_tokens").asInt()).isGreaterThan(budget);
    }

    @Test
    void conflictIsRepeated() throws Exception {
        server.thenRefuse(409, "{}");
        server.thenStream(wire().text("ok"));
        assertThat(listen().text()).isEqualTo("ok");
    }
}
