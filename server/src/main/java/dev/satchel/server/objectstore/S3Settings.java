package dev.satchel.server.objectstore;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A bucket and how to connect to it.
 *
 * @param endpoint another store than Amazon's own, or null
 * @param pathStyle whether the bucket stands in the path rather than in the host name
 * @param plainUploads whether to leave out the checksums that older stores refuse
 * @param credentials a key pair, or null for the SDK's usual places (variables, profile, role)
 */
public record S3Settings(
        String bucket,
        String region,
        @Nullable URI endpoint,
        boolean pathStyle,
        boolean plainUploads,
        @Nullable Credentials credentials) {
    public S3Settings {
        if (bucket.isBlank() || region.isBlank()) {
            throw new IllegalArgumentException("a bucket and a region are needed");
        }
    }

    public record Credentials(String accessKey, String secretKey) {
        @Override
        public String toString() {
            return "Credentials[" + accessKey + "]";
        }
    }
}
