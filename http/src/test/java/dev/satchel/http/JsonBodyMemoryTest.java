package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JsonBodyMemoryTest {
    private static final int MIB = 1024 * 1024;
    private static final int SENT = -1;

    /** An eighth of the memory, so 8 MiB of bodies. */
    private final JsonBodyMemory room = new JsonBodyMemory(64L * MIB, Duration.ofMillis(1));

    @Test
    void bodiesBeyondTheMemoryAreRefusedUntilItIsFree() throws IOException {
        try (JsonBodyMemory.Reservation first = room.newReservation();
                JsonBodyMemory.Reservation second = room.newReservation();
                JsonBodyMemory.Reservation third = room.newReservation()) {
            first.admit(body(1), 5 * MIB, 100 * MIB);
            assertThatThrownBy(() -> second.admit(body(1), 5 * MIB, 100 * MIB))
                    .isInstanceOfSatisfying(
                            SatchelException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
            third.admit(body(1), 2 * MIB, 100 * MIB);
        }
        try (JsonBodyMemory.Reservation later = room.newReservation()) {
            later.admit(body(1), 7 * MIB, 100 * MIB);
        }
    }

    @Test
    void aWaitingBodyGetsTheMemoryThatAnotherReleases() throws Exception {
        JsonBodyMemory patient = new JsonBodyMemory(64L * MIB, Duration.ofMinutes(1));
        JsonBodyMemory.Reservation first = patient.newReservation();
        first.admit(body(1), 7 * MIB, 100 * MIB);
        CompletableFuture<InputStream> waiting = new CompletableFuture<>();
        Thread second =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        waiting.complete(
                                                patient.newReservation()
                                                        .admit(body(1), 7 * MIB, 100 * MIB));
                                    } catch (IOException | RuntimeException e) {
                                        waiting.completeExceptionally(e);
                                    }
                                });
        while (second.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        first.close();
        assertThat(waiting.get()).isNotNull();
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

    private static InputStream body(int length) {
        return new ByteArrayInputStream(new byte[length]);
    }
}
