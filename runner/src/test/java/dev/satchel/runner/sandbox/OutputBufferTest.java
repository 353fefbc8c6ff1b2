package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputBufferTest {
    @Test
    void whatFitsExactlyIsKept() {
        OutputBuffer buffer = filled(10, "0123456789");

        assertThat(buffer.text()).isEqualTo("0123456789");
        assertThat(buffer.truncated()).isFalse();
    }

    @Test
    void theMiddleIsCutAndCounted() {
        OutputBuffer buffer = filled(10, "01234", "xxxxxx", "56789");

        assertThat(buffer.text()).isEqualTo("01234\n[… 6 bytes left out …]\n56789");
        assertThat(buffer.truncated()).isTrue();
    }

    @Test
    void oneWriteMayBeLargerThanTheBuffer() {
        assertThat(filled(4, "ab" + "x".repeat(100) + "yz").text())
                .isEqualTo("ab\n[… 100 bytes left out …]\nyz");
    }

    @Test
    void noCharacterIsCutInHalf() {
        assertThat(filled(10, "aaaaé", "xxxxx", "ébbbb").text())
                .isEqualTo("aaaa\n[… 9 bytes left out …]\nbbbb");
    }

    @Test
    void aLimitOfNothingKeepsNothing() {
        assertThat(filled(0, "abc").text()).isEqualTo("\n[… 3 bytes left out …]\n");
    }

    private static OutputBuffer filled(int limit, String... writes) {
        OutputBuffer buffer = new OutputBuffer(limit);
        for (String write : writes) {
            byte[] bytes = write.getBytes(StandardCharsets.UTF_8);
            buffer.write(bytes, bytes.length);
        }
        return buffer;
    }
}
