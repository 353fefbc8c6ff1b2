package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.WorkspacePath;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** One file of a listing, as clients get it. */
record ListedFile(String path, long size, String modifiedAt) {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    static ListedFile of(WorkspacePath path, FileStat stat) {
        return new ListedFile(path.value(), stat.size(), time(stat.modified()));
    }

    /** Always three digits after the second: clients compare these as text. */
    static String time(Instant instant) {
        return MILLISECONDS.format(instant);
    }
}
