package dev.satchel.server.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ContactGapTest {
    private static final Duration RENEWAL = Duration.ofSeconds(10);

    private final MovableClock clock = new MovableClock();
    private final ContactGap gap = new ContactGap(RENEWAL, clock);

    @Test
    void withoutAGapTheTimeIsNow() {
        for (int i = 0; i < 5; i++) {
            assertThat(gap.judge(clock.millis())).isEqualTo(clock.millis());
            clock.advance(RENEWAL);
        }
    }

    @Test
    void afterAGapTheTimeStandsStillForOneRenewal() {
        long before = gap.judge(clock.millis());

        clock.advance(Duration.ofMinutes(1));
        assertThat(gap.judge(clock.millis())).isEqualTo(before);
        clock.advance(RENEWAL.minusMillis(1));
        assertThat(gap.judge(clock.millis())).isEqualTo(before);
        clock.advance(Duration.ofMillis(1));
        assertThat(gap.judge(clock.millis())).isEqualTo(clock.millis());
    }
}
