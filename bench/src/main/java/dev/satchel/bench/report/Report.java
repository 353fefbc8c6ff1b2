package dev.satchel.bench.report;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of one run of the benchmark. */
public record Report(
        Instant startedAt,
        String effort,
        MachineDescription machine,
        double loadBefore,
        double loadAfter,
        List<Result> results) {
    public Report {
        results = List.copyOf(results);
    }

    public String text() {
        return "%s.\n%s, %s.\n\n%s"
                .formatted(machine.show(), startedAt, effort, ResultTable.of(results));
    }

    /** Writes all rounds as JSON, to compare runs. */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("startedAt", startedAt.toString());
        all.put("effort", effort);
        all.put("machine", machine);
        all.put("loadBefore", loadBefore);
        all.put("loadAfter", loadAfter);
        all.put("results", results.stream().map(Report::entry).toList());
        Files.writeString(
                file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
    }

    private static Map<String, Object> entry(Result result) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("figure", result.figure());
        RoundValues ours = result.ours();
        if (ours != null) {
            entry.put("ours", entry(ours));
        }
        Anchor anchor = result.anchor();
        if (anchor != null) {
            Map<String, Object> other = new LinkedHashMap<>(Map.of("name", anchor.name()));
            RoundValues theirs = anchor.series();
            other.putAll(theirs == null ? Map.of("missing", true) : entry(theirs));
            entry.put("anchor", other);
        }
        result.ratio().ifPresent(ratio -> entry.put("ratio", ratio));
        entry.put("bar", result.bar().show());
        entry.put("verdict", result.verdict().words());
        entry.put("note", result.note());
        return entry;
    }

    private static Map<String, Object> entry(RoundValues series) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("unit", series.unit().symbol());
        entry.put("median", series.median());
        entry.put("lowest", series.lowest());
        entry.put("highest", series.highest());
        entry.put("rounds", series.rounds());
        return entry;
    }
}
