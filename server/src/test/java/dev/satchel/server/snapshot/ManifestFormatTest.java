package dev.satchel.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestFormatTest {
    private static final long TAKEN_AT = 1763231400123L;
    private static final Instant MODIFIED = Instant.parse("2026-11-15T18:30:00.123456789Z");
    private static final Instant CHANGED = Instant.parse("2026-11-15T18:30:01Z");
    private static final String HELLO =
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

    private static final List<ManifestEntry> ENTRIES =
            List.of(
                    ManifestEntry.directory(
                            new WorkspacePath("src"),
                            stat(FileStat.Kind.DIRECTORY, 4096, MODIFIED, 0755, 0)),
                    ManifestEntry.file(
                            new WorkspacePath("src/précis.txt"),
                            stat(FileStat.Kind.FILE, 5, CHANGED, 0640, 77),
                            new ContentRef(
                                    ContentHash.read(
                                            ByteBuffer.wrap(HexFormat.of().parseHex(HELLO))),
                                    "packs/one",
                                    3,
                                    5)),
                    ManifestEntry.link(
                            new WorkspacePath("src/link"),
                            stat(FileStat.Kind.LINK, 9, MODIFIED, 0777, 0),
                            "précis.txt"));

    @Test
    void aManifestIsReadAsItWasWritten() throws IOException {
        Manifest manifest = ManifestFormat.read(ManifestFormat.write(TAKEN_AT, ENTRIES));
        assertThat(manifest.takenAt()).isEqualTo(TAKEN_AT);
        assertThat(manifest.entries()).containsExactlyElementsOf(ENTRIES);
    }

    @Test
    void aTruncatedManifestIsAnError() throws IOException {
        byte[] whole = ManifestFormat.write(TAKEN_AT, ENTRIES);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(IOException.class)
                    .as("%d of %d bytes", length, whole.length)
                    .isThrownBy(() -> ManifestFormat.read(cut));
        }
    }

    private static FileStat stat(
            FileStat.Kind kind, long size, Instant changed, int mode, long inode) {
        return new FileStat(kind, size, MODIFIED, changed, mode, 1, inode);
    }
}
