package dev.satchel.http.download;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a Range header says: it is ignored, lies inside of the content, or is a 416. */
class RangeFuzzTest {
    static Stream<Arguments> seeds() {
        return Stream.of(
                Arguments.of("bytes=0-0", 10L),
                Arguments.of("bytes=5-", 10L),
                Arguments.of("BYTES= -3 ", 2L),
                Arguments.of("bytes=0-9223372036854775807", Long.MAX_VALUE),
                Arguments.of("bytes=99999999999999999999999999-", 7L),
                Arguments.of("bytes=0-1,3-4", 0L),
                Arguments.of("bytes=٣-", 10L));
    }

    @MethodSource("seeds")
    @FuzzTest
    void everyRangeLiesInsideOfTheContent(@NotNull String header, long anySize) {
        long size = anySize & Long.MAX_VALUE;
        try {
            Optional<ByteRange> range = ByteRange.of(header, size);
            range.ifPresent(found -> requireInside(found, size));
        } catch (SatchelException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.RANGE_NOT_SATISFIABLE);
        }
    }

    private static void requireInside(ByteRange range, long size) {
        assertThat(range.offset()).isNotNegative();
        assertThat(range.length()).isPositive();
        assertThat(range.length()).isLessThanOrEqualTo(size - range.offset());
        assertThat(range.contentRange(size)).matches("bytes [0-9]+-[0-9]+/" + size);
    }
}
