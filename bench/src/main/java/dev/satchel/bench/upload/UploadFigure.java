package dev.satchel.bench.upload;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.TurnAbout;
import dev.satchel.bench.process.LargeFile;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.process.Wire;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file sent, hashed and durable, beside the same bytes written and flushed by nobody but us. */
public final class UploadFigure implements Figure {
    private static final int PIECE = 1 << 20;

    @Override
    public String name() {
        return "upload";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws Exception {
        int megabytes = effort.sizes().bytes().upload();
        Path folder = place.fresh("upload");
        Path file = new LargeFile(megabytes).write(folder.resolve("upload.log"));
        try (ServerProcess server = ServerProcess.start(place, Uploads.UNLIMITED)) {
            Bar bar = new Bar.AtLeastTimes(0.7);
            return List.of(
                    new TurnAbout(
                                    Unit.MEGABYTES_PER_SECOND,
                                    () -> rate(file, () -> form(server, file)),
                                    "written and flushed",
                                    () -> rate(file, () -> copy(file, folder.resolve("copy"))))
                            .rounds(
                                    effort.rounds(),
                                    "upload of %d MB by form, hashed".formatted(megabytes),
                                    bar),
                    new TurnAbout(
                                    Unit.MEGABYTES_PER_SECOND,
                                    () -> rate(file, () -> resumable(server, file)),
                                    "written and flushed",
                                    () -> rate(file, () -> copy(file, folder.resolve("copy"))))
                            .rounds(
                                    effort.rounds(),
                                    "upload of %d MB by tus, hashed".formatted(megabytes),
                                    bar));
        }
    }

    private interface Sending {
        void run() throws IOException;
    }

    private static double rate(Path file, Sending sending) throws IOException {
        long start = System.nanoTime();
        sending.run();
        return Files.size(file) / 1e6 / ((System.nanoTime() - start) / 1e9);
    }

    private static void form(ServerProcess server, Path file) throws IOException {
        try (Wire wire = new Wire(server.url().getPort())) {
            String _ = wire.upload(Uploads.PATH, file);
        }
    }

    private static void resumable(ServerProcess server, Path file) throws IOException {
        try (Wire wire = new Wire(server.url().getPort())) {
            wire.resumable(file);
        }
    }

    /** The disk's own rate: the bytes come from memory, where the file still is. */
    private static void copy(Path from, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from);
                FileChannel out =
                        FileChannel.open(
                                to,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.TRUNCATE_EXISTING,
                                StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            while (in.read(buffer.clear()) > 0) {
                out.write(buffer.flip());
            }
            out.force(true);
        }
    }
}
