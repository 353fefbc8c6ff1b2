package dev.satchel.http.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteRangeTest {
    @Test
    void aRangeIsCutToTheContent() {
        assertThat(ByteRange.of("bytes=0-0", 10)).contains(new ByteRange(0, 1));
        assertThat(ByteRange.of("bytes=2-5", 10)).contains(new ByteRange(2, 4));
        assertThat(ByteRange.of("bytes=2-", 10)).contains(new ByteRange(2, 8));
        assertThat(ByteRange.of("bytes=9-100", 10)).contains(new ByteRange(9, 1));
        assertThat(ByteRange.of("bytes=-3", 10)).contains(new ByteRange(7, 3));
        assertThat(ByteRange.of("bytes=-30", 10)).contains(new ByteRange(0, 10));
        assertThat(ByteRange.of("Bytes= 1-2 ", 10)).contains(new ByteRange(1, 2));
        assertThat(ByteRange.of("bytes=1-" + "9".repeat(30), 10)).contains(new ByteRange(1, 9));
    }

    @Test
    void aHeaderThatIsNotOneByteRangeIsIgnored() {
        List<String> ignored =
                List.of(
                        "",
                        "bytes",
                        "bytes=",
                        "bytes=-",
                        "bytes=a-b",
                        "bytes=5-2",
                        "bytes=--1",
                        "bytes=0-1,3-4",
                        "items=0-1",
                        "bytes 0-1",
                        "bytes=1",
                        "bytes=+1-2");
        for (String header : ignored) {
            assertThat(ByteRange.of(header, 10)).as(header).isEmpty();
        }
        assertThat(ByteRange.of("bytes=-5", 0)).isEmpty();
    }

    @Test
    void aRangeOutsideOfTheContentIsRefusedWithTheSize() {
        for (String header :
                List.of("bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-")) {
            assertThatThrownBy(() -> ByteRange.of(header, 10))
                    .as(header)
                    .isInstanceOfSatisfying(
                            SatchelException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.RANGE_NOT_SATISFIABLE);
                                assertThat(e.headers())
                                        .containsEntry("Content-Range", "bytes */10");
                            });
        }
        assertThatThrownBy(() -> ByteRange.of("bytes=0-", 0)).isInstanceOf(SatchelException.class);
    }
}
