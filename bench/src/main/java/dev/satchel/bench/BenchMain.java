package dev.satchel.bench;

import dev.satchel.bench.append.AppendFigure;
import dev.satchel.bench.node.LinesFigure;
import dev.satchel.bench.node.NodesFigure;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Document;
import dev.satchel.bench.report.Machine;
import dev.satchel.bench.report.Report;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.sandbox.ManySandboxesFigure;
import dev.satchel.bench.sandbox.SandboxStartFigure;
import dev.satchel.bench.start.StartFigure;
import dev.satchel.bench.stream.IdleStreamsFigure;
import dev.satchel.bench.stream.StreamsFigure;
import dev.satchel.bench.tool.GrepFigure;
import dev.satchel.bench.turn.TurnFigure;
import dev.satchel.bench.upload.BagFigure;
import dev.satchel.bench.upload.HugeFileFigure;
import dev.satchel.bench.upload.UploadFigure;
import dev.satchel.bench.workspace.DownloadFigure;
import dev.satchel.bench.workspace.ListingFigure;
import dev.satchel.bench.workspace.SnapshotFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./satchel bench}. A figure that falls short is a line in the table, not an exit code: on a
 * busy machine it says more about the machine.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures the system and prints one table; see docs/PERFORMANCE.md.")
public final class BenchMain implements Callable<Integer> {
    static final List<Figure> FIGURES =
            List.of(
                    new StartFigure(),
                    new AppendFigure(),
                    new StreamsFigure(),
                    new IdleStreamsFigure(),
                    new SandboxStartFigure(),
                    new ManySandboxesFigure(),
                    new TurnFigure(),
                    new ListingFigure(),
                    new DownloadFigure(),
                    new SnapshotFigure(),
                    new UploadFigure(),
                    new HugeFileFigure(),
                    new BagFigure(),
                    new GrepFigure(),
                    new NodesFigure(),
                    new LinesFigure());

    /** What DESIGN.md sets no bar for and what takes its time; {@code --only} measures it still. */
    private static final Set<String> NOT_QUICK =
            Set.of("many-sandboxes", "upload", "huge-file", "bag", "nodes", "lines");

    @Option(
            names = "--quick",
            description = "Fewer and shorter rounds, and not all figures: under two minutes")
    private boolean quick;

    @Option(names = "--only", paramLabel = "NAME", description = "One figure; may be repeated")
    private List<String> only = List.of();

    @Option(names = "--document", description = "Also put the table into docs/PERFORMANCE.md")
    private boolean document;

    @Option(names = "--home", description = "The project's folder", defaultValue = ".")
    private Path home = Path.of(".");

    public static void main(String[] arguments) {
        // exits even when something measured has left a thread behind
        System.exit(new CommandLine(new BenchMain()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        List<String> names = FIGURES.stream().map(Figure::name).toList();
        if (!names.containsAll(only)) {
            System.err.println("satchel: figures are " + String.join(", ", names));
            return 2;
        }
        Path root = home.toAbsolutePath().normalize();
        Path target = Files.createDirectories(root.resolve("target"));
        Path folder = Files.createTempDirectory(target, "bench-");
        try {
            Place place = new Place(folder, List.of(home.resolve("satchel").toString()));
            Report report = measure(quick ? Effort.QUICK : Effort.FULL, place);
            System.out.print(report.text());
            report.write(target.resolve("bench.json"));
            if (document) {
                new Document(root.resolve("docs/PERFORMANCE.md")).show(report);
            }
        } finally {
            delete(folder);
        }
        return 0;
    }

    private Report measure(Effort effort, Place place) throws IOException {
        Instant start = Instant.now();
        double load = Machine.load();
        List<Result> results = new ArrayList<>();
        for (Figure figure : FIGURES) {
            if (isAskedFor(figure.name())) {
                long begin = System.nanoTime();
                results.addAll(measure(figure, effort, place));
                System.err.printf(
                        Locale.ROOT,
                        "satchel: measured %-14s in %5.1f s%n",
                        figure.name(),
                        (System.nanoTime() - begin) / 1e9);
            }
        }
        return new Report(start, effort.name(), Machine.here(), load, Machine.load(), results);
    }

    private boolean isAskedFor(String name) {
        return only.isEmpty() ? !quick || !NOT_QUICK.contains(name) : only.contains(name);
    }

    private static List<Result> measure(Figure figure, Effort effort, Place place) {
        try {
            return figure.measure(effort, place);
        } catch (Exception e) { // said in the table; the others go on
            return List.of(Result.notMeasured(figure.name(), new Bar.Open(), e.toString()));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
