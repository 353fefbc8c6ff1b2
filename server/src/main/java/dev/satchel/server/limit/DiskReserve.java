package dev.satchel.server.limit;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a part of the disk of the data folder free, so that what was acknowledged can be finished:
 * the logs and ends of runs, and deletions. Below it nothing new is accepted.
 */
public final class DiskReserve {
    private static final long MEBIBYTE = 1024 * 1024;

    private final FileStore disk;
    private final long bytes;

    /** With a reserve of 0 everything is accepted until the disk is full. */
    public DiskReserve(Path dataDirectory, long megabytes) {
        try {
            this.disk = Files.getFileStore(dataDirectory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.bytes = megabytes * MEBIBYTE;
    }

    /** Shows the size of the disk and what is free on it. */
    public void measure(MeterRegistry registry) {
        Gauge.builder("satchel.disk.free", this, it -> it.free())
                .description("Free bytes of the disk of the data folder")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder("satchel.disk.size", this, it -> it.size())
                .description("Size of the disk of the data folder")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
    }

    /** Refuses what would store something new. */
    public void require() {
        if (bytes == 0) {
            return;
        }
        long free = free();
        if (free < bytes) {
            throw new SatchelException(
                    ErrorCode.STORAGE_FULL,
                    "the disk of the server has "
                            + free / MEBIBYTE
                            + " MiB left and keeps "
                            + bytes / MEBIBYTE
                            + " MiB free. Reading and deleting still work.");
        }
    }

    private long size() {
        try {
            return disk.getTotalSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long free() {
        try {
            return disk.getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
