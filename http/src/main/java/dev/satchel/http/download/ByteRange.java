package dev.satchel.http.download;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of a content that a client requests; never empty. */
record ByteRange(long offset, long length) {
    private static final Pattern SINGLE =
            Pattern.compile("bytes=[ \t]*(\\d*)-(\\d*)[ \t]*", Pattern.CASE_INSENSITIVE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    /**
     * Parses a Range header. A malformed one, another unit and several ranges are ignored, as RFC
     * 9110 allows. A range outside of the content is a 416.
     */
    static Optional<ByteRange> of(String header, long size) {
        Matcher range = SINGLE.matcher(header);
        if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (range.group(1).isEmpty()) {
            return suffix(number(range.group(2)), size);
        }
        long first = number(range.group(1));
        long last = range.group(2).isEmpty() ? Long.MAX_VALUE : number(range.group(2));
        if (last < first) {
            return Optional.empty();
        }
        if (first >= size) {
            throw outside(size);
        }
        return Optional.of(new ByteRange(first, Math.min(last, size - 1) - first + 1));
    }

    String contentRange(long size) {
        return "bytes " + offset + "-" + (offset + length - 1) + "/" + size;
    }

    /** An empty content has no last bytes, and Content-Range cannot describe an empty range. */
    private static Optional<ByteRange> suffix(long count, long size) {
        if (count == 0) {
            throw outside(size);
        }
        if (size == 0) {
            return Optional.empty();
        }
        long length = Math.min(count, size);
        return Optional.of(new ByteRange(size - length, length));
    }

    /** A number of any length; more than a long can hold is {@link Long#MAX_VALUE}. */
    private static long number(String digits) {
        return new BigInteger(digits.substring(0, Math.min(digits.length(), 100)))
                .min(MAX)
                .longValue();
    }

    private static SatchelException outside(long size) {
        return new SatchelException(
                        ErrorCode.RANGE_NOT_SATISFIABLE,
                        "the range lies outside of the " + size + " bytes there are")
                .withHeaders(Map.of("Content-Range", "bytes */" + size));
    }
}
