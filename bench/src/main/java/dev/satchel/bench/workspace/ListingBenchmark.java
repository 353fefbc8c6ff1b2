package dev.satchel.bench.workspace;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.ReferenceProgram;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ChildProcess;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.process.WrkLoad;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A large workspace listed, beside a Node server that does the same walk. */
public final class ListingBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.AtLeastTimes(5);
    private static final int CONNECTIONS = 2;
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    /** How much smaller the workspace is that shows how cost grows. */
    private static final int TIMES_SMALLER = 10;

    @Override
    public String name() {
        return "listing";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Optional<Path> wrk = ReferenceProgram.WRK.find();
        if (wrk.isEmpty()) {
            return List.of(Result.notMeasured(figure(effort), BAR, "no wrk here to ask"));
        }
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                ApiClient api = new ApiClient(server.url())) {
            String large = api.newChat();
            String small = api.newChat();
            int files = effort.sizes().files();
            SourceTree tree = new SourceTree(server.workspace(large), files).make();
            new SourceTree(server.workspace(small), files / TIMES_SMALLER).make();
            WrkLoad load = new WrkLoad(wrk.get(), CONNECTIONS, effort.load());
            String url = server.url() + "/api/sessions/%s/files";
            String ofLarge = url.formatted(large);
            double _ = warmUp(wrk.get(), ofLarge);
            List<Result> results = new ArrayList<>();
            results.add(againstNode(effort, place, tree, load, ofLarge, wrk.get()));
            if (effort.extras()) {
                results.add(
                        new AlternatingRounds(
                                        MeasurementUnit.PER_SECOND,
                                        () -> TIMES_SMALLER * load.requestsPerSecond(ofLarge),
                                        "with a tenth of the files",
                                        () -> load.requestsPerSecond(url.formatted(small)))
                                .rounds(
                                        effort.dearRounds(),
                                        "… per %,d files".formatted(files / TIMES_SMALLER),
                                        new Threshold.Open()));
            }
            return results;
        }
    }

    /** The same warm-up for both. */
    private static double warmUp(Path wrk, String url) throws Exception {
        return new WrkLoad(wrk, CONNECTIONS, WARM_UP).requestsPerSecond(url);
    }

    private static Result againstNode(
            MeasurementEffort effort,
            BenchmarkEnvironment place,
            SourceTree tree,
            WrkLoad load,
            String url,
            Path wrk)
            throws Exception {
        Optional<Path> node = ReferenceProgram.NODE.find();
        if (node.isEmpty()) {
            return new AlternatingRounds(
                            MeasurementUnit.PER_SECOND,
                            () -> load.requestsPerSecond(url),
                            "node",
                            null)
                    .rounds(effort.rounds(), figure(effort), BAR);
        }
        try (ChildProcess peer = node(node.get(), place, tree)) {
            String peerUrl = "http://127.0.0.1:" + peer.ready() + "/";
            double _ = warmUp(wrk, peerUrl);
            return new AlternatingRounds(
                            MeasurementUnit.PER_SECOND,
                            () -> load.requestsPerSecond(url),
                            "Node",
                            () -> load.requestsPerSecond(peerUrl))
                    .rounds(effort.rounds(), figure(effort), BAR);
        }
    }

    private static ChildProcess node(Path program, BenchmarkEnvironment place, SourceTree tree)
            throws IOException {
        Path folder = place.fresh("node");
        Path script = folder.resolve("listing.mjs");
        try (InputStream text = ListingBenchmark.class.getResourceAsStream("/bench/listing.mjs")) {
            if (text == null) {
                throw new IllegalStateException("the Node server is not in the class path");
            }
            Files.copy(text, script);
        }
        return ChildProcess.start(
                List.of(program.toString(), script.toString(), tree.root().toString()),
                Map.of(),
                "Node listens on ",
                folder.resolve("node.log"));
    }

    private static String figure(MeasurementEffort effort) {
        return String.format(
                Locale.ROOT, "listings of a workspace of %,d files", effort.sizes().files());
    }
}
