package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JsonBodyMemoryTest {
    private static final int MIB = 1024 * 1024;
    private static final int SENT = -1;

    /** An eighth of the memory, so 8 MiB of bodies. */
    private final JsonBodyMemory room = new JsonBodyMemory(64L * MIB, Duration.ofMillis(1));

    private final JsonBodyMemory patient = new JsonBodyMemory(64L * MIB, Duration.ofMinutes(1));

    @Test
    void bodiesBeyondTheMemoryAreRefusedUntilItIsFree() throws IOException {
        try (JsonBodyMemory.Reservation first = room.newReservation();
                JsonBodyMemory.Reservation third = room.newReservation()) {
            first.admit(body(6 * MIB), 6 * MIB, 100 * MIB).readAllBytes();
            try (JsonBodyMemory.Reservation second = room.newReservation()) {
                InputStream tooMuch = second.admit(body(6 * MIB), 6 * MIB, 100 * MIB);
                assertThatThrownBy(tooMuch::readAllBytes)
                        .isInstanceOfSatisfying(
                                SatchelException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
            }
            third.admit(body(3 * MIB), 3 * MIB, 100 * MIB).readAllBytes();
        }
        try (JsonBodyMemory.Reservation later = room.newReservation()) {
            later.admit(body(8 * MIB), 8 * MIB, 100 * MIB).readAllBytes();
        }
    }

    @Test
    void whatIsAnnouncedAndNotSentCostsNothing() throws IOException {
        List<JsonBodyMemory.Reservation> stalled = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            JsonBodyMemory.Reservation one = room.newReservation();
            assertThat(one.admit(body(8 * MIB), 8 * MIB, 100 * MIB).read()).isZero();
            stalled.add(one);
        }
        try (JsonBodyMemory.Reservation other = room.newReservation()) {
            assertThat(other.admit(body(8 * MIB), 8 * MIB, 100 * MIB).readAllBytes())
                    .hasSize(8 * MIB);
        }
        stalled.forEach(JsonBodyMemory.Reservation::close);
    }

    @Test
    void aWaitingBodyGetsTheMemoryThatAnotherReleases() throws Exception {
        JsonBodyMemory.Reservation first = patient.newReservation();
        first.admit(body(7 * MIB), 7 * MIB, 100 * MIB).readAllBytes();
        InputStream next = patient.newReservation().admit(body(7 * MIB), 7 * MIB, 100 * MIB);
        CompletableFuture<byte[]> waiting = new CompletableFuture<>();
        Thread second = Thread.ofVirtual().start(() -> read(next, waiting));
        while (second.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        first.close();
        assertThat(waiting.get()).hasSize(7 * MIB);
    }

    @Test
    void theNewestIsRefusedWhenAllWaitForEachOther() throws Exception {
        JsonBodyMemory.Reservation first = patient.newReservation();
        JsonBodyMemory.Reservation second = patient.newReservation();
        InputStream old = first.admit(body(7 * MIB), 7 * MIB, 100 * MIB);
        InputStream young = second.admit(body(7 * MIB), 7 * MIB, 100 * MIB);
        old.readNBytes(5 * MIB); // each has 4 of the 8 MiB, the first one is free
        young.readNBytes(5 * MIB);
        CompletableFuture<byte[]> rest = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read(old, rest));

        assertThatThrownBy(young::readAllBytes).hasMessageContaining("too many large requests");
        second.close();

        assertThat(rest.get()).hasSize(2 * MIB);
    }

    @Test
    void aBodyLargerThanAllMemoryIs413() {
        assertThatThrownBy(() -> room.newReservation().admit(body(1), 9 * MIB, 100 * MIB))
                .hasMessage("the body is larger than the limit of " + 8 * MIB + " bytes");
    }

    @Test
    void smallBodiesNeedNoReservation() throws IOException {
        JsonBodyMemory none = new JsonBodyMemory(0, Duration.ZERO);
        assertThat(none.newReservation().admit(body(MIB), MIB, 100 * MIB).readAllBytes())
                .hasSize(MIB);
        assertThat(none.newReservation().admit(body(MIB - 1), SENT, 100 * MIB).readAllBytes())
                .hasSize(MIB - 1);
        assertThat(none.newReservation().admit(body(7), SENT, MIB).readAllBytes()).hasSize(7);
    }

    @Test
    void aBodyWithoutContentLengthIsReadUpToTheMemory() throws IOException {
        try (JsonBodyMemory.Reservation guest = room.newReservation()) {
            assertThat(guest.admit(body(3 * MIB), SENT, 100 * MIB).readAllBytes()).hasSize(3 * MIB);
        }
        try (JsonBodyMemory.Reservation guest = room.newReservation()) {
            InputStream admitted = guest.admit(body(9 * MIB), SENT, 100 * MIB);
            assertThatThrownBy(admitted::readAllBytes).hasMessageContaining("is larger than");
        }
    }

    private static void read(InputStream in, CompletableFuture<byte[]> all) {
        try {
            all.complete(in.readAllBytes());
        } catch (IOException | RuntimeException e) {
            all.completeExceptionally(e);
        }
    }

    private static InputStream body(int length) {
        return new ByteArrayInputStream(new byte[length]);
    }
}
