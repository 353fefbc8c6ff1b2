package dev.satchel.bench.storage;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The storage page and the list of sessions with many chats, beside those with few. */
public final class ManyChatsBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.AtMostTimes(2);
    private static final int FEW = 100;

    @Override
    public String name() {
        return "many-chats";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int many = effort.sizes().chats();
        try (ServerProcess large = filled(place, many);
                ServerProcess small = filled(place, Math.min(FEW, many));
                ApiClient ofLarge = new ApiClient(large.url());
                ApiClient ofSmall = new ApiClient(small.url())) {
            return List.of(
                    compare(effort, "storage page", "/api/storage", ofLarge, ofSmall),
                    compare(
                            effort,
                            "list of sessions",
                            "/api/sessions?includeTotal=true",
                            ofLarge,
                            ofSmall));
        }
    }

    private static ServerProcess filled(BenchmarkEnvironment place, int chats) throws IOException {
        Path data = place.fresh("chats").resolve("data");
        List<String> _ = new ChatRows(data).fill(chats);
        return ServerProcess.start(place, Map.of("SATCHEL_RUNNER", "none"), data);
    }

    private static Result compare(
            MeasurementEffort effort, String what, String path, ApiClient large, ApiClient small)
            throws Exception {
        String figure =
                String.format(Locale.ROOT, "%s with %,d chats, p50", what, effort.sizes().chats());
        return new AlternatingRounds(
                        MeasurementUnit.MILLISECONDS,
                        () -> median(effort, large, path),
                        "with " + FEW,
                        () -> median(effort, small, path))
                .rounds(effort.rounds(), figure, BAR);
    }

    private static double median(MeasurementEffort effort, ApiClient api, String path)
            throws IOException, InterruptedException {
        HttpRequest request = api.request(path).build();
        Samples samples = new Samples();
        for (int i = 0; i < effort.samples(); i++) {
            samples.add(api.timed(request));
        }
        return samples.medianMillis();
    }
}
