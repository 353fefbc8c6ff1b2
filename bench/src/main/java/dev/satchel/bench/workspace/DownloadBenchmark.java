package dev.satchel.bench.workspace;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.ReferenceProgram;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.RawHttpConnection;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A large file of a workspace, again and again on one connection, beside nginx. */
public final class DownloadBenchmark implements Benchmark {
    private static final String FILE = "large.bin";
    private static final String SMALL = "small.bin";

    @Override
    public String name() {
        return "download";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                ApiClient api = new ApiClient(server.url())) {
            String chat = api.newChat();
            Path folder = server.workspace(chat);
            int megabytes = effort.sizes().bytes().download();
            new LargeFile(megabytes).write(folder.resolve(FILE));
            new LargeFile(1).write(folder.resolve(SMALL));
            String files = "/api/sessions/" + chat + "/files/";
            warmUp(server.url().getPort(), files + SMALL, effort.warmUp());
            String path = files + FILE;
            AlternatingRounds.Measured ours = () -> rate(effort, server.url().getPort(), path);
            Optional<Path> nginx = ReferenceProgram.NGINX.find();
            String figure = "raw download of %d MB, one connection".formatted(megabytes);
            Threshold bar = new Threshold.AtLeastTimes(0.8);
            if (nginx.isEmpty()) {
                return List.of(
                        new AlternatingRounds(
                                        MeasurementUnit.MEGABYTES_PER_SECOND, ours, "nginx", null)
                                .rounds(effort.rounds(), figure, bar));
            }
            try (NginxServer peer = NginxServer.start(nginx.get(), place.fresh("nginx"), folder)) {
                return List.of(
                        new AlternatingRounds(
                                        MeasurementUnit.MEGABYTES_PER_SECOND,
                                        ours,
                                        "nginx",
                                        () -> rate(effort, peer.port(), "/" + FILE))
                                .rounds(effort.rounds(), figure, bar));
            }
        }
    }

    /** With many small ones: it is the head of each answer that is slow at first. */
    private static void warmUp(int port, String path, int times) throws IOException {
        try (RawHttpConnection wire = new RawHttpConnection(port)) {
            for (int i = 0; i < times; i++) {
                long _ = wire.download(path);
            }
        }
    }

    private static double rate(MeasurementEffort effort, int port, String path) throws IOException {
        long end = System.nanoTime() + effort.load().toNanos();
        try (RawHttpConnection wire = new RawHttpConnection(port)) {
            long start = System.nanoTime();
            long bytes = 0;
            do {
                bytes += wire.download(path);
            } while (System.nanoTime() < end);
            return bytes / 1e6 / ((System.nanoTime() - start) / 1e9);
        }
    }
}
