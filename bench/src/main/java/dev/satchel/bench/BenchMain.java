package dev.satchel.bench;

import dev.satchel.bench.append.AppendBenchmark;
import dev.satchel.bench.node.DurableLineBenchmark;
import dev.satchel.bench.node.NodesBenchmark;
import dev.satchel.bench.report.MachineDescription;
import dev.satchel.bench.report.MarkdownPage;
import dev.satchel.bench.report.Report;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.bench.sandbox.IdleSandboxesBenchmark;
import dev.satchel.bench.sandbox.ManySandboxesBenchmark;
import dev.satchel.bench.sandbox.SandboxStartBenchmark;
import dev.satchel.bench.search.SearchBenchmark;
import dev.satchel.bench.start.StartBenchmark;
import dev.satchel.bench.storage.DeletionBenchmark;
import dev.satchel.bench.storage.ManyChatsBenchmark;
import dev.satchel.bench.storage.StoredTurnsBenchmark;
import dev.satchel.bench.storage.WaitingRunsBenchmark;
import dev.satchel.bench.stream.IdleStreamsBenchmark;
import dev.satchel.bench.stream.LineCostBenchmark;
import dev.satchel.bench.stream.StreamsBenchmark;
import dev.satchel.bench.tool.DocumentBenchmark;
import dev.satchel.bench.tool.DocumentViewBenchmark;
import dev.satchel.bench.tool.GrepBenchmark;
import dev.satchel.bench.turn.BranchedTurnBenchmark;
import dev.satchel.bench.turn.FirstTurnBenchmark;
import dev.satchel.bench.turn.HandOverBenchmark;
import dev.satchel.bench.turn.TurnBenchmark;
import dev.satchel.bench.turn.TurnCostBenchmark;
import dev.satchel.bench.upload.BagBenchmark;
import dev.satchel.bench.upload.BagTurnBenchmark;
import dev.satchel.bench.upload.HugeFileBenchmark;
import dev.satchel.bench.upload.UploadBenchmark;
import dev.satchel.bench.workspace.DownloadBenchmark;
import dev.satchel.bench.workspace.ListingBenchmark;
import dev.satchel.bench.workspace.RestoreBenchmark;
import dev.satchel.bench.workspace.SnapshotBenchmark;
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
 * {@code ./satchel bench}. A missed threshold is a line in the table, not an exit code: on a busy
 * machine it may be the machine's fault.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures the system and prints one table; see docs/PERFORMANCE.md.")
public final class BenchMain implements Callable<Integer> {
    static final List<Benchmark> FIGURES =
            List.of(
                    new StartBenchmark(),
                    new AppendBenchmark(),
                    new StreamsBenchmark(),
                    new LineCostBenchmark(),
                    new IdleStreamsBenchmark(),
                    new SandboxStartBenchmark(),
                    new ManySandboxesBenchmark(),
                    new IdleSandboxesBenchmark(),
                    new TurnBenchmark(),
                    new TurnCostBenchmark(),
                    new FirstTurnBenchmark(),
                    new BranchedTurnBenchmark(),
                    new HandOverBenchmark(),
                    new ListingBenchmark(),
                    new DownloadBenchmark(),
                    new SnapshotBenchmark(),
                    new RestoreBenchmark(),
                    new UploadBenchmark(),
                    new HugeFileBenchmark(),
                    new BagBenchmark(),
                    new BagTurnBenchmark(),
                    new ManyChatsBenchmark(),
                    new DeletionBenchmark(),
                    new StoredTurnsBenchmark(),
                    new WaitingRunsBenchmark(),
                    new SearchBenchmark(),
                    new GrepBenchmark(),
                    new DocumentBenchmark(),
                    new DocumentViewBenchmark(),
                    new NodesBenchmark(),
                    new DurableLineBenchmark());

    /** Slow benchmarks; {@code --only} runs them. */
    private static final Set<String> NOT_QUICK =
            Set.of(
                    "line-cost",
                    "many-sandboxes",
                    "idle-sandboxes",
                    "turn-cost",
                    "first-turn",
                    "stored-turns",
                    "upload",
                    "huge-file",
                    "bag",
                    "bag-turn",
                    "hand-over",
                    "branched-turn",
                    "restore",
                    "waiting",
                    "search",
                    "nodes",
                    "lines");

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
        List<String> names = FIGURES.stream().map(Benchmark::name).toList();
        if (!names.containsAll(only)) {
            System.err.println("satchel: figures are " + String.join(", ", names));
            return 2;
        }
        Path root = home.toAbsolutePath().normalize();
        Path target = Files.createDirectories(root.resolve("target"));
        Path folder = Files.createTempDirectory(target, "bench-");
        try {
            BenchmarkEnvironment place =
                    new BenchmarkEnvironment(folder, List.of(home.resolve("satchel").toString()));
            Report report =
                    measure(quick ? MeasurementEffort.QUICK : MeasurementEffort.FULL, place);
            System.out.print(report.text());
            report.write(target.resolve("bench.json"));
            if (document) {
                new MarkdownPage(root.resolve("docs/PERFORMANCE.md")).show(report);
            }
        } finally {
            delete(folder);
        }
        return 0;
    }

    private Report measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException {
        Instant start = Instant.now();
        double load = MachineDescription.load();
        List<Result> results = new ArrayList<>();
        for (Benchmark figure : FIGURES) {
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
        return new Report(
                start,
                effort.name(),
                MachineDescription.here(),
                load,
                MachineDescription.load(),
                results);
    }

    private boolean isAskedFor(String name) {
        return only.isEmpty() ? !quick || !NOT_QUICK.contains(name) : only.contains(name);
    }

    private static List<Result> measure(
            Benchmark figure, MeasurementEffort effort, BenchmarkEnvironment place) {
        try {
            return figure.measure(effort, place);
        } catch (Exception e) { // said in the table; the others go on
            return List.of(Result.notMeasured(figure.name(), new Threshold.Open(), e.toString()));
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
