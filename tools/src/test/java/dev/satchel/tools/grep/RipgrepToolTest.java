package dev.satchel.tools.grep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class RipgrepToolTest extends GrepContract {
    private static final List<String> PATTERNS =
            List.of(
                    "needle",
                    "^needle|pin$",
                    "n[e]+dle",
                    "ü.*needle",
                    "\\bhay\\b",
                    "(?i)NEEDLE",
                    "[^a-z]{2}",
                    "\\d+ms",
                    "e{2}",
                    "^$",
                    "x*$",
                    "no such text");

    private Duration maxTime = Duration.ofSeconds(30);

    @BeforeEach
    void requireRipgrep() {
        assumeTrue(Ripgrep.find().isPresent());
    }

    @Override
    protected ToolResult call(JsonNode arguments) throws Exception {
        RipgrepTool tool = new RipgrepTool(Ripgrep.find().orElseThrow(), maxTime);
        return tool.call(arguments, new RipgrepTool.Context(files, this::run, documents));
    }

    @Test
    void findsWhatRe2Finds() throws Exception {
        Random random = new Random(5);
        String[] words = {"hay", "needle", "Needle", "pin", "üml", "", "x".repeat(9000), "12ms"};
        for (int i = 0; i < 5; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 400; j++) {
                text.append(words[random.nextInt(words.length)]);
                text.append(List.of(" ", "\n", "\r\n").get(random.nextInt(3)));
            }
            file("d/f" + i, text.toString());
        }
        for (String pattern : PATTERNS) {
            for (String mode : List.of("content", "files_with_matches", "count")) {
                ObjectNode arguments = Json.MAPPER.createObjectNode();
                arguments.put("pattern", pattern).put("output_mode", mode).put("-C", 1);
                assertThat(call(arguments).text())
                        .as(pattern)
                        .isEqualTo(
                                new GrepTool(maxTime)
                                        .call(arguments, new GrepTool.Context(files, documents))
                                        .text());
            }
        }
    }

    @Test
    void multilineSearchesLargeFilesToo() throws Exception {
        file("big", "x\n".repeat(5_000_000) + "start\nend\n");
        assertThat(succeeds("{'pattern': 'start.end', 'path': 'big', 'multiline': true}"))
                .isEqualTo("big:5000001:start\nbig:5000002:end");
    }

    @Test
    void aSlowSearchKeepsWhatItFoundBeforeTheTimeLimit() throws Exception {
        file("a", "needle\n").file("b/pipe", "needle\n");
        maxTime = Duration.ofMillis(300);
        RipgrepTool tool = new RipgrepTool(slowRipgrep(), maxTime);
        ToolResult result =
                tool.call(
                        Json.MAPPER.readTree("{\"pattern\": \"needle\"}"),
                        new RipgrepTool.Context(files, this::run, documents));
        assertThat(result.text())
                .isEqualTo("a\n(The search took too long and was stopped; there may be more.)");
    }

    @Test
    void aFailingRipgrepIsReplacedByRe2() throws Exception {
        file("a", "needle\n");
        Path broken = script("echo broken >&2; exit 2");
        RipgrepTool tool = new RipgrepTool(Ripgrep.at(broken), maxTime);
        ToolResult result =
                tool.call(
                        Json.MAPPER.readTree("{\"pattern\": \"needle\"}"),
                        new RipgrepTool.Context(files, this::run, documents));
        assertThat(result.text()).isEqualTo("a");
    }

    private Ripgrep slowRipgrep() throws IOException {
        return Ripgrep.at(script("printf './a\\0001\\0371\\0370\\037needle\\n'; exec sleep 60"));
    }

    private Path script(String body) throws IOException {
        Path script = Files.createTempFile(root.getParent(), "rg", "");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private CommandRunner.Output run(List<String> command, Duration timeLimit, int maxBytes)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("errors", "");
        Process process =
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            byte[] output = process.getInputStream().readNBytes(maxBytes);
            process.waitFor();
            return new CommandRunner.Output(
                    new String(output, StandardCharsets.UTF_8), Files.readString(errors));
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }
}
