package dev.satchel.server.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectKeyTest {
    @Test
    void aKeyIsMadeOfItsSegments() {
        ObjectKey key = ObjectKey.of("bag", "chat 1", "报告.pdf");

        assertThat(key).hasToString("bag/chat 1/报告.pdf");
        assertThat(key.segments()).containsExactly("bag", "chat 1", "报告.pdf");
    }

    @Test
    void keysThatCouldLeaveTheStoreAreRefused() {
        List<String> bad =
                List.of(
                        "",
                        "/",
                        "/a",
                        "a/",
                        "a//b",
                        ".",
                        "..",
                        "a/../b",
                        "a/./b",
                        "a\0b",
                        "a\nb",
                        "a\u007fb",
                        "a\u0085b",
                        "half\ud800",
                        "\udc00half",
                        "a\uffff");
        for (String value : bad) {
            assertThatThrownBy(() -> new ObjectKey(value))
                    .as(value)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ObjectKey.of("a", "b/c"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyIsLimitedInBytes() {
        assertThat(new ObjectKey("é".repeat(512)).value()).hasSize(512);
        assertThatThrownBy(() -> new ObjectKey("é".repeat(512) + "x"))
                .hasMessageContaining("longer than 1024 bytes");
    }
}
