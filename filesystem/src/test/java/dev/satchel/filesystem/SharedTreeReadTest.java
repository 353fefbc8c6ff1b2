package dev.satchel.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.FileDescriptor.Identity;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedTreeReadTest {
    private static final Identity ROOT = new Identity(8, 1, 2);
    private static final WorkspacePath FOLDER = new WorkspacePath("folder");

    private final SharedTreeReads readings = new SharedTreeReads();
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void aWalkTakesOverWhatAnotherReadAfterItHadBegun() throws Exception {
        try (SharedTreeReads.Walk one = readings.begin(ROOT);
                SharedTreeReads.Walk other = readings.begin(ROOT)) {
            DirectoryRead ofOther = other.reading(FOLDER, this::read);

            assertThat(one.reading(FOLDER, this::read)).isSameAs(ofOther);
            assertThat(made).hasValue(1);
        }
    }

    @Test
    void aWalkNeverTakesWhatWasReadBeforeItBegan() throws Exception {
        try (SharedTreeReads.Walk one = readings.begin(ROOT)) {
            DirectoryRead old = one.reading(FOLDER, this::read);
            try (SharedTreeReads.Walk later = readings.begin(ROOT)) {
                assertThat(later.reading(FOLDER, this::read)).isNotSameAs(old);
            }
            assertThat(made).hasValue(2);
        }
    }

    /** Begun is what counts, not ended: it may have looked at the file before it changed. */
    @Test
    void aWalkNeverTakesWhatWasBeingReadWhenItBegan() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (SharedTreeReads.Walk one = readings.begin(ROOT)) {
            Thread slow =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            one.reading(
                                                    FOLDER,
                                                    path -> {
                                                        begun.countDown();
                                                        await(goOn);
                                                        return read(path);
                                                    }));
            begun.await();
            try (SharedTreeReads.Walk later = readings.begin(ROOT)) {
                DirectoryRead mine = later.reading(FOLDER, this::read);
                assertThat(later.made(mine)).isTrue();
                assertThat(mine.isMade()).isTrue();
            } finally {
                goOn.countDown();
                slow.join();
            }
        }
    }

    @Test
    void anotherTreeInTheSamePlaceIsAnotherTree() throws Exception {
        try (SharedTreeReads.Walk one = readings.begin(ROOT);
                SharedTreeReads.Walk other = readings.begin(new Identity(8, 1, 3))) {
            DirectoryRead ofOther = other.reading(FOLDER, this::read);

            assertThat(one.reading(FOLDER, this::read)).isNotSameAs(ofOther);
        }
    }

    @Test
    void aReadingThatFailedKeepsNobodyWaiting() throws Exception {
        try (SharedTreeReads.Walk one = readings.begin(ROOT);
                SharedTreeReads.Walk other = readings.begin(ROOT)) {
            DirectoryRead failed =
                    other.reading(
                            FOLDER,
                            path -> {
                                throw new NoSuchFileException(path.value());
                            });

            assertThat(one.reading(FOLDER, this::read)).isSameAs(failed);
            assertThat(failed.await()).isNull();
        }
    }

    private DirectoryContents read(WorkspacePath path) {
        made.incrementAndGet();
        return new DirectoryContents(path, new byte[0], new int[0], new long[0], 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
