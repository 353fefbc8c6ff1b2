package dev.satchel.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.FileDescriptor.Identity;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedTreeReadsTest {
    private static final Identity ROOT = new Identity(8, 1, 2);
    private static final WorkspacePath FOLDER = new WorkspacePath("folder");

    private final SharedTreeReads reads = new SharedTreeReads();
    private final AtomicInteger count = new AtomicInteger();

    @Test
    void aWalkUsesAReadThatAnotherOneBeganLater() throws Exception {
        try (SharedTreeReads.Walk one = reads.begin(ROOT);
                SharedTreeReads.Walk other = reads.begin(ROOT)) {
            DirectoryRead ofOther = other.read(FOLDER, this::read);

            assertThat(one.read(FOLDER, this::read)).isSameAs(ofOther);
            assertThat(count).hasValue(1);
        }
    }

    @Test
    void aWalkNeverUsesAReadFromBeforeItBegan() throws Exception {
        try (SharedTreeReads.Walk one = reads.begin(ROOT)) {
            DirectoryRead old = one.read(FOLDER, this::read);
            try (SharedTreeReads.Walk later = reads.begin(ROOT)) {
                assertThat(later.read(FOLDER, this::read)).isNotSameAs(old);
            }
            assertThat(count).hasValue(2);
        }
    }

    /** The begin of the read counts: it may have read the file before it changed. */
    @Test
    void aWalkNeverUsesAReadThatWasActiveWhenItBegan() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        try (SharedTreeReads.Walk one = reads.begin(ROOT)) {
            Thread slow =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            one.read(
                                                    FOLDER,
                                                    path -> {
                                                        begun.countDown();
                                                        await(proceed);
                                                        return read(path);
                                                    }));
            begun.await();
            try (SharedTreeReads.Walk later = reads.begin(ROOT)) {
                DirectoryRead own = later.read(FOLDER, this::read);
                assertThat(later.did(own)).isTrue();
                assertThat(own.isDone()).isTrue();
            } finally {
                proceed.countDown();
                slow.join();
            }
        }
    }

    @Test
    void treesWithDifferentRootsShareNothing() throws Exception {
        try (SharedTreeReads.Walk one = reads.begin(ROOT);
                SharedTreeReads.Walk other = reads.begin(new Identity(8, 1, 3))) {
            DirectoryRead ofOther = other.read(FOLDER, this::read);

            assertThat(one.read(FOLDER, this::read)).isNotSameAs(ofOther);
        }
    }

    @Test
    void aFailedReadEndsTheWait() throws Exception {
        try (SharedTreeReads.Walk one = reads.begin(ROOT);
                SharedTreeReads.Walk other = reads.begin(ROOT)) {
            DirectoryRead failed =
                    other.read(
                            FOLDER,
                            path -> {
                                throw new NoSuchFileException(path.value());
                            });

            assertThat(one.read(FOLDER, this::read)).isSameAs(failed);
            assertThat(failed.await()).isNull();
        }
    }

    private DirectoryContents read(WorkspacePath path) {
        count.incrementAndGet();
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
