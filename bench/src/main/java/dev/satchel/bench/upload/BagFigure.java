package dev.satchel.bench.upload;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.TurnAbout;
import dev.satchel.bench.process.Api;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.process.Wire;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A small file put into a bag that is nearly full already, beside one that is nearly empty. */
public final class BagFigure implements Figure {
    @Override
    public String name() {
        return "bag";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws Exception {
        Path file = Files.writeString(place.fresh("bag").resolve("small.csv"), "a,b\n1,2\n");
        try (ServerProcess server = ServerProcess.start(place, Uploads.UNLIMITED);
                Api api = new Api(server.url());
                Wire wire = new Wire(server.url().getPort())) {
            String full = files(api.newChat());
            for (int i = 0; i < effort.sizes().bag(); i++) {
                put(wire, full, file);
            }
            return List.of(
                    new TurnAbout(
                                    Unit.MILLISECONDS,
                                    () -> puts(effort, wire, full, file),
                                    "into an empty bag",
                                    () -> puts(effort, wire, files(api.newChat()), file))
                            .rounds(
                                    effort.rounds(),
                                    String.format(
                                            Locale.ROOT,
                                            "put a file into a bag of %,d, p50",
                                            effort.sizes().bag()),
                                    new Bar.Open()));
        }
    }

    private static double puts(Effort effort, Wire wire, String files, Path file)
            throws IOException {
        Samples samples = new Samples();
        for (int i = 0; i < effort.samples(); i++) {
            samples.add(put(wire, files, file));
        }
        return samples.medianMillis();
    }

    private static long put(Wire wire, String files, Path file) throws IOException {
        long start = System.nanoTime();
        String _ = wire.upload(files, file);
        return System.nanoTime() - start;
    }

    private static String files(String chat) {
        return "/api/assistant/chats/" + chat + "/files";
    }
}
