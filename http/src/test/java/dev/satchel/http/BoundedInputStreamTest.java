package dev.satchel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class BoundedInputStreamTest {
    private final InputStream digits = new ByteArrayInputStream("0123456789".getBytes(UTF_8));

    @Test
    void endsAfterTheLimit() throws IOException {
        InputStream bounded = BoundedInputStream.endingAfter(digits, 4);

        assertThat(bounded.available()).isEqualTo(4);
        assertThat(bounded.read()).isEqualTo('0');
        assertThat(bounded.skip(10)).isEqualTo(3);
        assertThat(bounded.read()).isEqualTo(-1);
        assertThat(bounded.read(new byte[2], 0, 2)).isEqualTo(-1);
        assertThat(digits.read()).isEqualTo('4');
    }

    @Test
    void skipsWhatWasNotRead() throws IOException {
        BoundedInputStream bounded = BoundedInputStream.endingAfter(digits, 8);
        assertThat(bounded.readNBytes(2)).asString().isEqualTo("01");

        bounded.skipRemaining();

        assertThat(bounded.read()).isEqualTo(-1);
        assertThat(digits.read()).isEqualTo('8');
    }

    @Test
    void cannotSkipMoreThanThereIs() {
        assertThatThrownBy(() -> BoundedInputStream.endingAfter(digits, 11).skipRemaining())
                .isInstanceOf(EOFException.class);
    }

    @Test
    void acceptsExactlyTheLimit() throws IOException {
        InputStream bounded = BoundedInputStream.refusingMoreThan(digits, 10, "a.txt");

        assertThat(bounded.readAllBytes()).hasSize(10);
        assertThat(bounded.read()).isEqualTo(-1);
    }

    @Test
    void refusesOneByteMore() {
        InputStream bounded = BoundedInputStream.refusingMoreThan(digits, 9, "a.txt");

        assertThatThrownBy(bounded::readAllBytes)
                .isInstanceOf(SatchelException.class)
                .hasMessage("a.txt is larger than the limit of 9 bytes");
    }
}
