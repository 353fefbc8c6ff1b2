package dev.satchel.server.migrate;

import dev.satchel.http.security.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The number of rows and the sum of their SHA-256 digests. The sum does not depend on the order of
 * the rows, since the two databases sort text differently.
 */
public final class RowDigest {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    private final MessageDigest sha256 = Sha256.newDigest();
    private BigInteger sum = BigInteger.ZERO;
    private long count;

    public record Value(long count, BigInteger sum) {}

    public void add(@Nullable Object[] row) {
        for (Object value : row) {
            byte[] bytes = bytes(value);
            String header = (value == null ? "null" : kind(value)) + bytes.length + ":";
            sha256.update(header.getBytes(StandardCharsets.UTF_8));
            sha256.update(bytes);
        }
        sum = sum.add(new BigInteger(1, sha256.digest())).mod(MODULUS);
        count++;
    }

    public Value value() {
        return new Value(count, sum);
    }

    private static byte[] bytes(@Nullable Object value) {
        return value instanceof byte[] binary
                ? binary
                : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    }

    private static String kind(Object value) {
        return value instanceof byte[] ? "binary" : value instanceof Number ? "number" : "text";
    }
}
