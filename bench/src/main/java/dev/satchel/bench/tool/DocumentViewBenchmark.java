package dev.satchel.bench.tool;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.runner.document.DocumentSettings;
import dev.satchel.runner.document.SandboxedDocuments;
import dev.satchel.runner.document.SandboxedExtractor;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.tool.AssetClient;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** A PDF viewed by the tool of the agents again, beside the first time. */
public final class DocumentViewBenchmark implements Benchmark {
    private static final int PAGES = 100;
    private static final String LINE = "(A line of a page with some words in it) Tj 0 -14 Td\n";

    @Override
    public String name() {
        return "document-view";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path folder = place.fresh("document-view");
        Path texts = place.fresh("document-texts");
        Files.write(folder.resolve("a.pdf"), pdf());
        SandboxFactory sandboxes = SandboxSetup.detect(System.getenv());
        SandboxSpec spec =
                new SandboxSpec("bench", folder, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (SafeDirectory directory = SafeDirectory.open(folder);
                Sandbox sandbox = sandboxes.open(spec);
                SandboxedExtractor warm =
                        new SandboxedExtractor(
                                sandboxes, texts.resolve("warm"), DocumentSettings.DEFAULT)) {
            ToolContext context = new ToolContext(directory, sandbox, AssetClient.NONE);
            Toolset known = tools(warm);
            return List.of(
                    new AlternatingRounds(
                                    MeasurementUnit.MILLISECONDS,
                                    () -> view(known, context),
                                    "first view",
                                    () -> {
                                        Path fresh = texts.resolve(UUID.randomUUID().toString());
                                        try (SandboxedExtractor cold =
                                                new SandboxedExtractor(
                                                        sandboxes,
                                                        fresh,
                                                        DocumentSettings.DEFAULT)) {
                                            return view(tools(cold), context);
                                        }
                                    })
                            .warmed(2)
                            .rounds(
                                    effort.rounds(),
                                    "view of a PDF of %d pages again".formatted(PAGES),
                                    new Threshold.AtMostTimes(0.05)));
        }
    }

    private static Toolset tools(SandboxedExtractor extractor) {
        return Toolset.standard(Optional.empty(), new SandboxedDocuments(extractor));
    }

    private static double view(Toolset tools, ToolContext context)
            throws IOException, InterruptedException {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("path", "a.pdf");
        long start = System.nanoTime();
        ToolResult result = tools.call("view", arguments, context);
        double millis = (System.nanoTime() - start) / 1e6;
        if (!result.succeeded() || !result.text().contains("A line of a page")) {
            throw new IOException("view answered " + result.text());
        }
        return millis;
    }

    /** Without a table of references, which readers rebuild. */
    private static byte[] pdf() {
        StringBuilder pdf = new StringBuilder("%PDF-1.4\n");
        StringBuilder pages = new StringBuilder();
        for (int page = 0; page < PAGES; page++) {
            String text = "BT /F 12 Tf 60 700 Td\n" + LINE.repeat(40) + "ET";
            int number = 10 + 2 * page;
            pages.append(number).append(" 0 R ");
            pdf.append(
                    "%d 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>\nendobj\n"
                            .formatted(number, number + 1));
            pdf.append(
                    "%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n"
                            .formatted(number + 1, text.length(), text));
        }
        pdf.append("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
        pdf.append("2 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n".formatted(PAGES, pages));
        pdf.append("3 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n");
        pdf.append("trailer\n<</Root 1 0 R/Size 1000>>\n%%EOF\n");
        return pdf.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
