package dev.satchel.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.objectstore.ObjectKey;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ManifestCacheTest {
    private final ManifestCache recent = new ManifestCache();

    @Test
    void theOneUnusedForLongestGoesFirst() {
        recent.add(key("a"), manifest(15_000));
        recent.add(key("b"), manifest(15_000));
        assertThat(recent.find(key("a"))).isPresent();

        recent.add(key("c"), manifest(15_000));

        assertThat(recent.find(key("a"))).isPresent();
        assertThat(recent.find(key("b"))).isEmpty();
        assertThat(recent.find(key("c"))).isPresent();
    }

    @Test
    void oneTooLargeForAllTheRoomIsNotKept() {
        recent.add(key("a"), manifest(40_000));
        recent.add(key("b"), manifest(1_000));

        assertThat(recent.find(key("a"))).isEmpty();
        assertThat(recent.find(key("b"))).isPresent();
    }

    @Test
    void oneAddedTwiceCountsOnce() {
        Manifest same = manifest(15_000);
        recent.add(key("a"), same);
        recent.add(key("a"), same);
        recent.add(key("b"), manifest(15_000));

        assertThat(recent.find(key("a"))).isPresent();
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("workspace-snapshots/" + name);
    }

    private static Manifest manifest(int entries) {
        FileStat stat =
                new FileStat(FileStat.Kind.DIRECTORY, 0, Instant.EPOCH, Instant.EPOCH, 0755, 1, 0);
        ManifestEntry entry = ManifestEntry.directory(new WorkspacePath("folder"), stat);
        return new Manifest(0, Collections.nCopies(entries, entry));
    }
}
