package dev.satchel.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final AtomicLong nanos = new AtomicLong();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(screen, true, StandardCharsets.UTF_8);
    private final ProgressBar bar = new ProgressBar("big.bin", err, nanos::get);

    @Test
    void aLongTransferIsShownAndClearedAtTheEnd() {
        nanos.set(1_000_000_000);
        bar.moved(50_000_000, 100_000_000);
        bar.close();

        assertThat(screen.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "\r"
                                + "\u001b[2Kbig.bin  [████████████············] 50 %  50 MB of 100 MB "
                                + " 50 MB/s\r"
                                + "\u001b[2K");
    }

    @Test
    void aShortTransferIsNotShown() {
        nanos.set(100_000_000);
        bar.moved(100, 100);
        bar.close();

        assertThat(screen.size()).isZero();
    }
}
