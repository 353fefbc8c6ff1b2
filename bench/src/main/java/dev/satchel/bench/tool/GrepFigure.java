package dev.satchel.bench.tool;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Peer;
import dev.satchel.bench.Place;
import dev.satchel.bench.TurnAbout;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.Program;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Unit;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.runner.tool.Tool;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.ToolResult;
import dev.satchel.runner.tool.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** A large text searched to its end, as the tool of the agents does it, beside ripgrep. */
public final class GrepFigure implements Figure {
    private static final int WARM_UP = 5;

    /** Each is found in no line or in few, so that all of the text is read. */
    private enum Kind {
        PLAIN("plain text", "no such text"),
        WITH_LITERAL("regex with a literal", "status=[45]\\d\\d took=9+ms"),
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
    public List<Result> measure(Effort effort, Place place) throws Exception {
        int megabytes = effort.sizes().bytes().grep();
        Path folder = place.fresh("grep");
        Path file = new LargeFile(megabytes).write(folder.resolve("large.log"));
        List<Result> results = new ArrayList<>();
        try (SafeDirectory directory = SafeDirectory.open(folder)) {
            for (Kind kind : Kind.values()) {
                String pattern = kind.pattern;
                results.add(
                        new TurnAbout(
                                        Unit.MILLISECONDS,
                                        () -> ours(directory, file, pattern),
                                        "ripgrep",
                                        Peer.RIPGREP.find().isPresent()
                                                ? () -> ripgrep(folder, file, pattern)
                                                : null)
                                .warmed(WARM_UP)
                                .rounds(
                                        effort.rounds(),
                                        "grep of %d MB, %s".formatted(megabytes, kind.words),
                                        new Bar.AtMostTimes(3)));
            }
        }
        return results;
    }

    private static double ours(SafeDirectory directory, Path file, String pattern)
            throws IOException, InterruptedException {
        Tool grep = Tools.reading().find("grep").orElseThrow();
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        arguments.put("pattern", pattern).put("path", file.getFileName().toString());
        long start = System.nanoTime();
        ToolResult result = grep.call(arguments, ToolContext.reading(directory));
        double millis = (System.nanoTime() - start) / 1e6;
        if (!result.succeeded()) {
            throw new IOException("grep answered " + result.text());
        }
        return millis; // also when it gave up, which takes the ten seconds it has
    }

    private static double ripgrep(Path folder, Path file, String pattern)
            throws IOException, InterruptedException {
        // it ends with 1 when nothing is found
        String command = "rg -n -- \"$1\" \"$2\" || test $? = 1";
        return new Program(List.of("sh", "-c", command, "sh", pattern, file.toString()), folder)
                .millis();
    }
}
