package dev.satchel.runner.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentCacheTest {
    @TempDir Path folder;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Each look at the clock is a second later. */
    private DocumentCache open(long maxBytes) throws IOException {
        Clock clock = new SteppingClock();
        return new DocumentCache(folder.resolve("cache"), maxBytes, Duration.ofHours(24), clock);
    }

    private final class SteppingClock extends Clock {
        @Override
        public Instant instant() {
            now = now.plus(Duration.ofSeconds(1));
            return now;
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }

    private void store(DocumentCache cache, String key, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("new"), text);
        try (InputStream in = cache.store(key, file)) {
            assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(text);
        }
    }

    private static Optional<String> read(DocumentCache cache, String key) throws IOException {
        Optional<InputStream> found = cache.open(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream in = found.get()) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatWasNotUsedForLongestGoesFirstAlsoAfterARestart() throws Exception {
        DocumentCache cache = open(10);
        store(cache, "a", "1111");
        store(cache, "b", "2222");
        assertThat(read(cache, "a")).contains("1111");
        store(cache, "c", "3333");
        assertThat(read(cache, "b")).isEmpty();
        assertThat(read(cache, "a")).contains("1111");
        assertThat(read(cache, "c")).contains("3333");

        DocumentCache again = open(4);
        assertThat(again.has("a")).isFalse();
        assertThat(read(again, "c")).contains("3333");
    }

    @Test
    void aTextLargerThanTheCacheIsReturnedButNotKept() throws Exception {
        DocumentCache cache = open(3);
        store(cache, "a", "1111");
        assertThat(cache.has("a")).isFalse();
        assertThat(folder.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void aFileThatWasRemovedIsForgotten() throws Exception {
        DocumentCache cache = open(10);
        store(cache, "a", "1111");
        Files.delete(folder.resolve("cache/a"));
        assertThat(read(cache, "a")).isEmpty();
        assertThat(cache.has("a")).isFalse();
    }

    @Test
    void aTextIsErasedAtItsAgeHoweverOftenItIsUsed() throws Exception {
        DocumentCache cache = open(10);
        store(cache, "a", "1111");
        now = now.plus(Duration.ofHours(23));
        store(cache, "b", "2222");
        assertThat(read(cache, "a")).contains("1111");
        now = now.plus(Duration.ofHours(1));

        assertThat(read(cache, "a")).isEmpty();
        assertThat(folder.resolve("cache/a")).doesNotExist();
        assertThat(read(cache, "b")).contains("2222");
    }

    @Test
    void aTextIsErasedAtItsAgeWithoutBeingAskedForAlsoAfterARestart() throws Exception {
        DocumentCache cache = open(10);
        store(cache, "a", "1111");
        now = now.plus(Duration.ofHours(12));
        store(cache, "b", "2222");
        assertThat(read(cache, "a")).contains("1111");
        now = now.plus(Duration.ofHours(12));

        DocumentCache again = open(10);
        assertThat(folder.resolve("cache/a")).doesNotExist();
        assertThat(again.has("b")).isTrue();
        now = now.plus(Duration.ofHours(12));
        again.removeOld();

        assertThat(folder.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void onlyTheRunnerCanEnterTheDirectory() throws Exception {
        open(10);
        assertThat(Files.getPosixFilePermissions(folder.resolve("cache")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
}
