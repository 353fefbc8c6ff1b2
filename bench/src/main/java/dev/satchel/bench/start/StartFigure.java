package dev.satchel.bench.start;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.process.Api;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Series;
import dev.satchel.bench.report.Unit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From {@code ./satchel serve} to the first answer, and what the server holds then. */
public final class StartFigure implements Figure {
    private static final String AS_IT_IS = "as it is";

    /** What the JVM was told, each taken away alone; the cache fits only the flags it has. */
    private static final Map<String, String> OPTIONS = new LinkedHashMap<>();

    static {
        OPTIONS.put(AS_IT_IS, "");
        OPTIONS.put("no AOT cache", "-XX:AOTMode=off");
        OPTIONS.put("no compact headers, no cache", "-XX:AOTMode=off -XX:-UseCompactObjectHeaders");
        OPTIONS.put("G1, no cache", "-XX:AOTMode=off -XX:-UseSerialGC -XX:+UseG1GC");
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public List<Result> measure(Effort effort, Place place)
            throws IOException, InterruptedException {
        Map<String, List<Double>> times = new LinkedHashMap<>();
        Map<String, List<Double>> sizes = new LinkedHashMap<>();
        for (int round = 0; round <= effort.rounds(); round++) {
            for (String name : OPTIONS.keySet()) {
                Started started = start(place, OPTIONS.get(name));
                if (round > 0) { // the first one warms the disk's cache
                    times.computeIfAbsent(name, _ -> new ArrayList<>()).add(started.millis());
                    sizes.computeIfAbsent(name, _ -> new ArrayList<>()).add(started.resident());
                }
            }
        }
        List<Result> results = new ArrayList<>();
        rows("start to first 200", Unit.MILLISECONDS, times, new Bar.Below(600), results);
        rows(
                "idle server: resident",
                Unit.MEGABYTES,
                sizes,
                new Bar.Below(150, Unit.MEGABYTES),
                results);
        return results;
    }

    private record Started(double millis, double resident) {}

    private static Started start(Place place, String options)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ServerProcess server =
                        ServerProcess.start(place, Map.of("SATCHEL_JAVA_OPTIONS", options));
                Api api = new Api(server.url())) {
            api.get("/livez");
            return new Started((System.nanoTime() - start) / 1e6, server.memory().resident());
        }
    }

    private static void rows(
            String figure,
            Unit unit,
            Map<String, List<Double>> rounds,
            Bar bar,
            List<Result> results) {
        Series ours = new Series(unit, rounds.get(AS_IT_IS));
        Bar held = bar;
        for (String name : rounds.keySet()) {
            if (!name.equals(AS_IT_IS)) {
                String row = held == bar ? figure : "… the same";
                results.add(
                        Result.of(row, ours, held)
                                .against(name, new Series(unit, rounds.get(name))));
                held = new Bar.Open();
            }
        }
    }
}
