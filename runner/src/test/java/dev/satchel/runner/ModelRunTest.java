package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.NdjsonWriter;
import dev.satchel.protocol.RunConfig;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.RunnerClient.Lines;
import dev.satchel.runner.model.ModelWireFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that are answered by a model, end to end. */
class ModelRunTest extends ModelRunFixture {
    private static final String KEY = "sk-secret-of-the-run";

    static List<ModelWireFormat> wires() {
        return List.of(new ModelWireFormat.Anthropic(), new ModelWireFormat.OpenAi());
    }

    @ParameterizedTest
    @MethodSource("wires")
    void modelReadsTheBagUsesTheShellAndAnswers(ModelWireFormat wire) throws Exception {
        use(wire, KEY);
        satchel.bag.put("in.txt", "one\ntwo\n");
        String command = "{\"command\":\"mkdir -p assets; env > assets/env; wc -l in.txt\"}";
        provider.thenStream(wire.toolCall("Counting.", "c1", "sh", command));
        provider.thenStream(wire.text("Two ", "lines."));
        List<SandboxLine> lines = run("how many lines?");
        assertThat(lines)
                .extracting(SandboxLine::type)
                .filteredOn(type -> !type.equals("log"))
                .containsExactly(
                        "delta", "usage", "step", "output", "step", "delta", "delta", "usage",
                        "result");
        assertThat(((SandboxLine.Result) lines.getLast()).message()).isEqualTo("Two lines.");
        assertThat(provider.asked().getFirst().body().toString())
                .contains("how many lines?", "/root/workspace/in.txt");
        assertThat(provider.asked().getLast().body().toString()).contains("2 in.txt");
        assertThat(satchel.uploads.getFirst().get("env")).doesNotContain(KEY);
        for (SandboxLine line : lines) {
            assertThat(new String(NdjsonWriter.encode(line), StandardCharsets.UTF_8))
                    .doesNotContain(KEY);
        }
    }

    @Test
    void keyThatIsRefusedIsAnErrorLineWithoutTheKey() throws Exception {
        use(new ModelWireFormat.OpenAi(), KEY);
        provider.thenRefuse(401, "{\"error\":{\"message\":\"Incorrect API key: " + KEY + "\"}}");
        SandboxLine.Failure failure = failure("hello");
        assertThat(failure.code()).isEqualTo("model_auth");
        assertThat(failure.message()).doesNotContain(KEY);
    }

    @Test
    void modelThatKeepsSilentIsAnErrorLine() throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1,localhost",
                                "SATCHEL_MODEL_TIMEOUT_SECONDS", "1")));
        use(new ModelWireFormat.Anthropic(), KEY);
        provider.thenHang(new CountDownLatch(1));
        assertThat(failure("hello").code()).isEqualTo("model_timeout");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void endpointOnThisMachineIsNotCalledUnlessTheOperatorListsIt(ModelWireFormat wire)
            throws Exception {
        restart(configuration(Map.of()));
        use(wire, KEY);
        provider.thenRefuse(500, "{\"error\":{\"message\":\"a secret of the machine\"}}");
        SandboxLine.Failure failure = failure("hello");
        assertThat(failure.code()).isEqualTo("model_not_configured");
        assertThat(failure.message()).contains("SATCHEL_PRIVATE_HOSTS").doesNotContain("secret");
        assertThat(provider.asked()).isEmpty();
    }

    @Test
    void refusedEndpointsReadAlikeWhetherTheirNamesExistOrNot() throws Exception {
        restart(configuration(Map.of("SATCHEL_EGRESS_HOSTS", "example.org")));
        List<String> messages = new ArrayList<>();
        for (String host : List.of("localhost", "nowhere.invalid", "8.8.8.8")) {
            satchel.model = new RunConfig.Model("openai", "m", "http://" + host + ":9", null);
            messages.add(failure("hello").message().replace(host, "HOST"));
        }
        assertThat(messages.getFirst()).contains("HOST:9 is not among the allowed hosts");
        assertThat(messages).containsOnly(messages.getFirst());
    }

    @Test
    void endpointOfTheOperatorMayBeOnThisMachine() throws Exception {
        ModelWireFormat wire = new ModelWireFormat.OpenAi();
        restart(configuration(Map.of("OPENAI_BASE_URL", wire.baseUrl(provider))));
        provider.thenStream(wire.text("Hello."));
        assertThat(result("hello")).isEqualTo("Hello.");
        satchel.model = new RunConfig.Model("openai", "m", wire.baseUrl(provider), null);
        provider.thenStream(wire.text("Hello again."));
        assertThat(result("hello")).isEqualTo("Hello again.");
    }

    @Test
    void modelNobodySetUpIsAnErrorLine() throws Exception {
        satchel.model = new RunConfig.Model("anthropic", "claude", null, null);
        assertThat(failure("hello").code()).isEqualTo("model_not_configured");
    }

    @Test
    void modelThatNeverEndsIsEndedByTheRoundLimit() throws Exception {
        ModelWireFormat wire = new ModelWireFormat.Anthropic();
        use(wire, KEY);
        for (int i = 0; i < 4; i++) { // the scripted config allows three rounds
            provider.thenStream(wire.toolCall("", "c" + i, "sh", "{\"command\":\"true\"}"));
        }
        provider.thenStream(wire.text("So far so good."));
        SandboxLine.Result result = (SandboxLine.Result) run("go on").getLast();
        assertThat(result.message()).isEqualTo("So far so good.");
        assertThat(result.stopped()).isEqualTo("max_rounds");
    }

    @Test
    void closingTheConnectionAbortsTheCallToTheModel() throws Exception {
        ModelWireFormat wire = new ModelWireFormat.Anthropic();
        use(wire, KEY);
        provider.thenStreamForEver(wire.unfinished("on and on "));
        try (Lines lines = client.start(satchel.dispatch("run", "hello"))) {
            while (!(lines.next().orElseThrow() instanceof SandboxLine.Delta)) {}
        }
        assertThat(provider.awaitAbandoned()).isTrue();
    }
}
