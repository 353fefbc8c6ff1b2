package dev.satchel.bench.tool;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.ReferenceProgram;
import dev.satchel.bench.process.ExternalProgram;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.documents.ExtractMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of large documents by the program that the runner starts, from the start of its process
 * to its end, beside programs that do no more than they must.
 */
public final class DocumentBenchmark implements Benchmark {
    /** The measured sizes have a thousand pages and a hundred thousand rows. */
    private static final int FILES_PER_PAGE = 10;

    private static final int ROWS_PER_FILE = 10;

    @Override
    public String name() {
        return "documents";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int pages = effort.sizes().files() / FILES_PER_PAGE;
        int rows = effort.sizes().files() * ROWS_PER_FILE;
        Path folder = place.fresh("documents");
        Path pdf = LargeDocuments.pdf(folder.resolve("large.pdf"), pages);
        Path sheet = LargeDocuments.sheet(folder.resolve("large.xlsx"), rows);
        return List.of(
                new AlternatingRounds(
                                MeasurementUnit.MILLISECONDS,
                                () -> java(folder, ExtractMain.class, pdf),
                                "pdftotext",
                                ReferenceProgram.PDFTOTEXT.find().isPresent()
                                        ? () -> pdftotext(folder, pdf)
                                        : null)
                        .rounds(
                                effort.rounds(),
                                "text of a PDF of %,d pages".formatted(pages),
                                new Threshold.AtMostTimes(3)),
                new AlternatingRounds(
                                MeasurementUnit.MILLISECONDS,
                                () -> java(folder, ExtractMain.class, sheet),
                                "a plain SAX reader",
                                () -> java(folder, SaxSheetReader.class, sheet))
                        .rounds(
                                effort.rounds(),
                                "text of a sheet of %,d rows".formatted(rows),
                                new Threshold.AtMostTimes(3)));
    }

    /** A Java program with the options of the runner. */
    private static double java(Path folder, Class<?> main, Path file)
            throws IOException, InterruptedException {
        return millis(
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        file.toString(),
                        file.getFileName().toString()));
    }

    private static double pdftotext(Path folder, Path file)
            throws IOException, InterruptedException {
        return millis(folder, List.of("pdftotext", file.toString(), "-"));
    }

    /** Nobody reads what they print. */
    private static double millis(Path folder, List<String> program)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", "exec \"$@\" > /dev/null", "sh"));
        command.addAll(program);
        return new ExternalProgram(command, folder).millis();
    }
}
