package dev.satchel.bench.upload;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.RawHttpConnection;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file sent, hashed and durable, beside the same bytes written, hashed and flushed by a program
 * that does nothing else.
 */
public final class UploadBenchmark implements Benchmark {
    private static final int WARM_UP = 5;

    @Override
    public String name() {
        return "upload";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int megabytes = effort.sizes().bytes().upload();
        Path folder = place.fresh("upload");
        Path file = new LargeFile(megabytes).write(folder.resolve("upload.log"));
        try (ServerProcess server = ServerProcess.start(place, UploadServer.UNLIMITED)) {
            Threshold bar = new Threshold.AtLeastTimes(0.7);
            PlainCopy copy = new PlainCopy(file, folder);
            Sending form = () -> form(server, file);
            Sending tus = () -> resumable(server, file);
            String size = "of %d MB".formatted(megabytes);
            return List.of(
                    beside("written, hashed, flushed", file, form, copy::writtenAndHashed)
                            .warmed(WARM_UP)
                            .rounds(effort.rounds(), "upload " + size + " by form, hashed", bar),
                    beside("written, hashed, flushed", file, tus, copy::writtenAndHashed)
                            .warmed(WARM_UP)
                            .rounds(effort.rounds(), "upload " + size + " by tus, hashed", bar),
                    beside("written and flushed, no hash", file, form, copy::written)
                            .rounds(effort.rounds(), "… by form, once more", new Threshold.Open()));
        }
    }

    private static AlternatingRounds beside(String name, Path file, Sending ours, Sending anchor) {
        return new AlternatingRounds(
                MeasurementUnit.MEGABYTES_PER_SECOND,
                () -> rate(file, ours),
                name,
                () -> rate(file, anchor));
    }

    private interface Sending {
        void run() throws Exception;
    }

    private static double rate(Path file, Sending sending) throws Exception {
        long start = System.nanoTime();
        sending.run();
        return Files.size(file) / 1e6 / ((System.nanoTime() - start) / 1e9);
    }

    private static void form(ServerProcess server, Path file) throws IOException {
        try (RawHttpConnection wire = new RawHttpConnection(server.url().getPort())) {
            String _ = wire.upload(UploadServer.PATH, file);
        }
    }

    private static void resumable(ServerProcess server, Path file) throws IOException {
        try (RawHttpConnection wire = new RawHttpConnection(server.url().getPort())) {
            wire.resumable(file);
        }
    }
}
