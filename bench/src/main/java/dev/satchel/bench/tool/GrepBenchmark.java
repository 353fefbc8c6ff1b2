package dev.satchel.bench.tool;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.ReferenceProgram;
import dev.satchel.bench.process.ExternalProgram;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.tool.AssetClient;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A large text searched to its end by the tool of the agents, in a sandbox, beside ripgrep. */
public final class GrepBenchmark implements Benchmark {
    private static final int WARM_UP = 5;

    private final Toolset tools = Toolset.standard();

    /** Each is found in fewer lines than are shown, so that all of the text is read. */
    private enum Kind {
        PLAIN("plain text", "no such text"),
        WITH_LITERAL("regex with a literal", "status=[45]\\d\\d took=9{4}ms"),
        WITHOUT_LITERAL("regex without one", "[a-f]{6}[0-9]{7}[a-f]{2} ");

        private final String words;
        private final String pattern;

        Kind(String words, String pattern) {
            this.words = words;
            this.pattern = pattern;
        }
    }

    @Override
    public String name() {
        return "grep";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int megabytes = effort.sizes().bytes().grep();
        Path folder = place.fresh("grep");
        Path file = new LargeFile(megabytes).write(folder.resolve("large.log"));
        List<Result> results = new ArrayList<>();
        SandboxSpec spec =
                new SandboxSpec("bench", folder, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (SafeDirectory directory = SafeDirectory.open(folder);
                Sandbox sandbox = SandboxSetup.detect(System.getenv()).open(spec)) {
            ToolContext context = new ToolContext(directory, sandbox, AssetClient.NONE);
            for (Kind kind : Kind.values()) {
                String pattern = kind.pattern;
                results.add(
                        new AlternatingRounds(
                                        MeasurementUnit.MILLISECONDS,
                                        () -> ours(context, file, pattern),
                                        "ripgrep",
                                        ReferenceProgram.RIPGREP.find().isPresent()
                                                ? () -> ripgrep(folder, file, pattern)
                                                : null)
                                .warmed(WARM_UP)
                                .rounds(
                                        effort.rounds(),
                                        "grep of %d MB, %s".formatted(megabytes, kind.words),
                                        new Threshold.AtMostTimes(3)));
            }
        }
        return results;
    }

    private double ours(ToolContext context, Path file, String pattern)
            throws IOException, InterruptedException {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        arguments.put("pattern", pattern).put("path", file.getFileName().toString());
        long start = System.nanoTime();
        ToolResult result = tools.call("grep", arguments, context);
        double millis = (System.nanoTime() - start) / 1e6;
        if (!result.succeeded()) {
            throw new IOException("grep answered " + result.text());
        }
        return millis; // also when it stopped at its time limit of ten seconds
    }

    private static double ripgrep(Path folder, Path file, String pattern)
            throws IOException, InterruptedException {
        // it ends with 1 when nothing is found
        String command = "rg -n -- \"$1\" \"$2\" || test $? = 1";
        return new ExternalProgram(
                        List.of("sh", "-c", command, "sh", pattern, file.toString()), folder)
                .millis();
    }
}
