package dev.satchel.bench.upload;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.RawHttpConnection;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** A small file put into a bag that has many already, beside one that is nearly empty. */
public final class BagBenchmark implements Benchmark {
    private static final int FILLING_AT_ONCE = 4;

    /** The name that the n-th file gets. */
    private interface Naming {
        String name(int number);
    }

    @Override
    public String name() {
        return "bag";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path file = Files.writeString(place.fresh("bag").resolve("small.csv"), "a,b\n1,2\n");
        String figure =
                String.format(
                        Locale.ROOT, "put a file into a bag of %,d, p50", effort.sizes().bag());
        try (ServerProcess server = ServerProcess.start(place, UploadServer.UNLIMITED);
                ApiClient api = new ApiClient(server.url())) {
            Bags bags = new Bags(effort, server.url().getPort(), api, file);
            return List.of(
                    bags.measure(figure, number -> "file-" + number + ".csv"),
                    bags.measure("… when all have the same name", _ -> "file.csv"));
        }
    }

    private record Bags(MeasurementEffort effort, int port, ApiClient api, Path file) {
        Result measure(String figure, Naming naming) throws Exception {
            AtomicInteger number = new AtomicInteger();
            String full = files();
            fill(full, naming, number);
            try (RawHttpConnection wire = new RawHttpConnection(port)) {
                return new AlternatingRounds(
                                MeasurementUnit.MILLISECONDS,
                                () -> puts(wire, full, naming, number),
                                "into an empty bag",
                                () -> puts(wire, files(), naming, number))
                        .rounds(effort.rounds(), figure, new Threshold.Open());
            }
        }

        private void fill(String files, Naming naming, AtomicInteger number)
                throws InterruptedException, IOException {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < FILLING_AT_ONCE; i++) {
                all.add(
                        () -> {
                            try (RawHttpConnection wire = new RawHttpConnection(port)) {
                                while (number.get() < effort.sizes().bag()) {
                                    put(wire, files, naming, number);
                                }
                            }
                            return null;
                        });
            }
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Void> done : threads.invokeAll(all)) {
                    done.get();
                }
            } catch (ExecutionException e) {
                throw new IOException("a bag could not be filled", e);
            }
        }

        private double puts(
                RawHttpConnection wire, String files, Naming naming, AtomicInteger number)
                throws IOException {
            Samples samples = new Samples();
            for (int i = 0; i < effort.samples(); i++) {
                samples.add(put(wire, files, naming, number));
            }
            return samples.medianMillis();
        }

        private long put(RawHttpConnection wire, String files, Naming naming, AtomicInteger number)
                throws IOException {
            long start = System.nanoTime();
            String _ = wire.upload(files, file, naming.name(number.incrementAndGet()));
            return System.nanoTime() - start;
        }

        private String files() throws IOException, InterruptedException {
            return "/api/assistant/chats/" + api.newChat() + "/files";
        }
    }
}
