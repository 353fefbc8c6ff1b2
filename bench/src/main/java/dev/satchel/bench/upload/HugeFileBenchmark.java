package dev.satchel.bench.upload;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.ProcessMemory;
import dev.satchel.bench.process.RawHttpConnection;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.protocol.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file far larger than the server's heap: taken in whole, then paged through with a tool. */
public final class HugeFileBenchmark implements Benchmark {
    private static final String HEAP = "-Xmx256m";

    /** Pages lie so far apart that the file is paged through from its begin to its end. */
    private static final int PAGES = 200;

    @Override
    public String name() {
        return "huge-file";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int megabytes = effort.sizes().bytes().huge();
        Path file = new LargeFile(megabytes).write(place.fresh("huge").resolve("huge.log"));
        Map<String, String> variables = new HashMap<>(UploadServer.UNLIMITED);
        variables.put("JAVA_TOOL_OPTIONS", HEAP);
        try (ServerProcess server = ServerProcess.start(place, variables);
                ApiClient api = new ApiClient(server.url())) {
            String chat = api.newChat();
            put(server, chat, file);
            ProcessMemory afterUpload = server.memory();
            PagedView pages = new PagedView(api, chat, file.getFileName().toString());
            long total = pages.lines(); // makes the index of lines
            ProcessMemory afterIndex = server.memory();
            Samples early = new Samples();
            Samples late = new Samples();
            for (int page = 0; page < PAGES; page++) {
                long took = pages.read(1 + total * page / PAGES);
                (page < PAGES / 2 ? early : late).add(took);
            }
            ProcessMemory afterPaging = server.memory();
            String figure = "upload of %d MB with %s".formatted(megabytes, HEAP);
            return List.of(
                    Result.of(figure, failures(0), new Threshold.Never()),
                    Result.of("… resident at most", of(afterUpload.peak()), new Threshold.Open()),
                    Result.of(
                                    "paging through %d MB with view: resident".formatted(megabytes),
                                    of(afterPaging.resident()),
                                    new Threshold.AtMostTimes(1.2))
                            .against("after the first page", of(afterIndex.resident())),
                    Result.of(
                                    "… a page of the second half, p50",
                                    RoundValues.millis(List.of(late.medianMillis())),
                                    new Threshold.Open())
                            .against(
                                    "of the first half",
                                    RoundValues.millis(List.of(early.medianMillis()))));
        }
    }

    private static void put(ServerProcess server, String chat, Path file) throws Exception {
        try (RawHttpConnection wire = new RawHttpConnection(server.url().getPort())) {
            String answer = wire.upload("/api/assistant/chats/" + chat + "/files", file);
            if (Json.MAPPER.readTree(answer).at("/files/0/id").isMissingNode()) {
                throw new IllegalStateException("the upload was answered with " + answer);
            }
        }
    }

    private static RoundValues failures(int count) {
        return new RoundValues(MeasurementUnit.FAILURES, List.of((double) count));
    }

    private static RoundValues of(double megabytes) {
        return new RoundValues(MeasurementUnit.MEGABYTES, List.of(megabytes));
    }
}
