package dev.satchel.bench.upload;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.process.Api;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.Memory;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.process.Wire;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Series;
import dev.satchel.bench.report.Unit;
import dev.satchel.protocol.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file far larger than the server's heap: taken in whole, then paged through with a tool. */
public final class HugeFileFigure implements Figure {
    private static final String HEAP = "-Xmx256m";

    /** Pages lie so far apart that the file is paged through from its begin to its end. */
    private static final int PAGES = 200;

    @Override
    public String name() {
        return "huge-file";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws Exception {
        int megabytes = effort.sizes().bytes().huge();
        Path file = new LargeFile(megabytes).write(place.fresh("huge").resolve("huge.log"));
        Map<String, String> variables = new HashMap<>(Uploads.UNLIMITED);
        variables.put("JAVA_TOOL_OPTIONS", HEAP);
        try (ServerProcess server = ServerProcess.start(place, variables);
                Api api = new Api(server.url())) {
            String chat = api.newChat();
            put(server, chat, file);
            Memory afterUpload = server.memory();
            Pages pages = new Pages(api, chat, file.getFileName().toString());
            long total = pages.lines(); // makes the index of lines
            Memory afterIndex = server.memory();
            Samples early = new Samples();
            Samples late = new Samples();
            for (int page = 0; page < PAGES; page++) {
                long took = pages.read(1 + total * page / PAGES);
                (page < PAGES / 2 ? early : late).add(took);
            }
            Memory afterPaging = server.memory();
            String figure = "upload of %d MB with %s".formatted(megabytes, HEAP);
            return List.of(
                    Result.of(figure, failures(0), new Bar.Never()),
                    Result.of("… resident at most", of(afterUpload.peak()), new Bar.Open()),
                    Result.of(
                                    "paging through %d MB with view: resident".formatted(megabytes),
                                    of(afterPaging.resident()),
                                    new Bar.AtMostTimes(1.2))
                            .against("after the first page", of(afterIndex.resident())),
                    Result.of(
                                    "… a page of the second half, p50",
                                    Series.millis(List.of(late.medianMillis())),
                                    new Bar.Open())
                            .against(
                                    "of the first half",
                                    Series.millis(List.of(early.medianMillis()))));
        }
    }

    private static void put(ServerProcess server, String chat, Path file) throws Exception {
        try (Wire wire = new Wire(server.url().getPort())) {
            String answer = wire.upload("/api/assistant/chats/" + chat + "/files", file);
            if (Json.MAPPER.readTree(answer).at("/files/0/id").isMissingNode()) {
                throw new IllegalStateException("the upload was answered with " + answer);
            }
        }
    }

    private static Series failures(int count) {
        return new Series(Unit.FAILURES, List.of((double) count));
    }

    private static Series of(double megabytes) {
        return new Series(Unit.MEGABYTES, List.of(megabytes));
    }
}
