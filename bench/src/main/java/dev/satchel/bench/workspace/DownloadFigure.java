package dev.satchel.bench.workspace;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Peer;
import dev.satchel.bench.Place;
import dev.satchel.bench.TurnAbout;
import dev.satchel.bench.process.Api;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.process.Wire;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A large file of a workspace, again and again on one connection, beside nginx. */
public final class DownloadFigure implements Figure {
    private static final String FILE = "large.bin";
    private static final String SMALL = "small.bin";

    @Override
    public String name() {
        return "download";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws Exception {
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                Api api = new Api(server.url())) {
            String chat = api.newChat();
            Path folder = server.workspace(chat);
            int megabytes = effort.sizes().bytes().download();
            new LargeFile(megabytes).write(folder.resolve(FILE));
            new LargeFile(1).write(folder.resolve(SMALL));
            String files = "/api/sessions/" + chat + "/files/";
            warmUp(server.url().getPort(), files + SMALL, effort.warmUp());
            String path = files + FILE;
            TurnAbout.Measured ours = () -> rate(effort, server.url().getPort(), path);
            Optional<Path> nginx = Peer.NGINX.find();
            String figure = "raw download of %d MB, one connection".formatted(megabytes);
            Bar bar = new Bar.AtLeastTimes(0.8);
            if (nginx.isEmpty()) {
                return List.of(
                        new TurnAbout(Unit.MEGABYTES_PER_SECOND, ours, "nginx", null)
                                .rounds(effort.rounds(), figure, bar));
            }
            try (Nginx peer = Nginx.start(nginx.get(), place.fresh("nginx"), folder)) {
                return List.of(
                        new TurnAbout(
                                        Unit.MEGABYTES_PER_SECOND,
                                        ours,
                                        "nginx",
                                        () -> rate(effort, peer.port(), "/" + FILE))
                                .rounds(effort.rounds(), figure, bar));
            }
        }
    }

    /** With many small ones: it is the head of each answer that is slow at first. */
    private static void warmUp(int port, String path, int times) throws IOException {
        try (Wire wire = new Wire(port)) {
            for (int i = 0; i < times; i++) {
                long _ = wire.download(path);
            }
        }
    }

    private static double rate(Effort effort, int port, String path) throws IOException {
        long end = System.nanoTime() + effort.load().toNanos();
        try (Wire wire = new Wire(port)) {
            long start = System.nanoTime();
            long bytes = 0;
            do {
                bytes += wire.download(path);
            } while (System.nanoTime() < end);
            return bytes / 1e6 / ((System.nanoTime() - start) / 1e9);
        }
    }
}
