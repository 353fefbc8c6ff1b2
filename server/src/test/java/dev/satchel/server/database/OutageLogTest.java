package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.LogLines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private final AtomicLong nanos = new AtomicLong();
    private final OutageLog outages = new OutageLog("the store", nanos::get);

    @Test
    void anOutageIsOneLineAtItsBeginAndOneAtItsEnd() {
        try (LogLines lines = LogLines.of(OutageLog.class.getName())) {
            outages.answered();
            for (int i = 0; i < 100; i++) {
                outages.failed(new IllegalStateException(new IllegalStateException("gone")));
                advance(Duration.ofMillis(100));
            }
            advance(Duration.ofSeconds(1));
            outages.answered();
            outages.answered();

            assertThat(lines.messages())
                    .containsExactly(
                            "the store is not available reason=java.lang.IllegalStateException: gone",
                            "the store is available again afterMillis=11000 failedCalls=100");
        }
    }

    @Test
    void answersBetweenFailuresDoNotEndAnOutage() {
        try (LogLines lines = LogLines.of(OutageLog.class.getName())) {
            for (int i = 0; i < 10; i++) {
                outages.failed(new IllegalStateException("gone"));
                advance(Duration.ofMillis(100));
                outages.answered();
            }
            assertThat(lines.messages()).hasSize(1);

            advance(Duration.ofSeconds(5));
            outages.answered();

            // the first answer after the last failure was the end
            assertThat(lines.messages().getLast()).contains("afterMillis=1000 failedCalls=10");
        }
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
