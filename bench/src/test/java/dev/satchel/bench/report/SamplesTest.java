package dev.satchel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void percentilesAreMeasurementsThatWereMade() {
        Samples samples = new Samples();
        for (int i = 100; i >= 1; i--) {
            samples.add(i * 1_000_000L);
        }

        assertThat(samples.medianMillis()).isEqualTo(50);
        assertThat(samples.percentileMillis(99)).isEqualTo(99);
        assertThat(samples.percentileMillis(100)).isEqualTo(100);
        assertThat(samples.count()).isEqualTo(100);
    }

    @Test
    void oneSampleIsEveryPercentile() {
        Samples samples = new Samples().add(3_000_000);

        assertThat(samples.percentileMillis(1)).isEqualTo(3);
        assertThat(samples.percentileMillis(99)).isEqualTo(3);
    }

    @Test
    void nothingMeasuredIsNoNumber() {
        assertThatThrownBy(() -> new Samples().medianMillis())
                .isInstanceOf(IllegalStateException.class);
    }
}
