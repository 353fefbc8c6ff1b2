package dev.satchel.server.objectstore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Sends an object of unknown length: a small one at once, a large one part by part. */
final class S3Upload {
    /** A part is held in memory. S3 requires at least 5 MiB and at most 10,000 parts. */
    private static final int PART_BYTES = 8 * 1024 * 1024;

    private final S3Client client;
    private final String bucket;
    private final ObjectKey key;

    S3Upload(S3Client client, String bucket, ObjectKey key) {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
    }

    StoredObject send(InputStream content) throws IOException {
        Sha256InputStream hashed = new Sha256InputStream(content);
        byte[] first = hashed.readNBytes(PART_BYTES);
        long size = first.length < PART_BYTES ? sendWhole(first) : sendParts(first, hashed);
        return new StoredObject(size, hashed.sha256());
    }

    /** Does not copy the bytes, unlike RequestBody.fromBytes. */
    static RequestBody body(byte[] bytes) {
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(bytes), bytes.length, "application/octet-stream");
    }

    private long sendWhole(byte[] bytes) throws IOException {
        S3Errors.call(
                "writing",
                key,
                () -> client.putObject(b -> b.bucket(bucket).key(key.value()), body(bytes)));
        return bytes.length;
    }

    private long sendParts(byte[] first, InputStream rest) throws IOException {
        try (S3MultipartUpload upload = new S3MultipartUpload(client, bucket, key)) {
            long size = 0;
            for (byte[] part = first; part.length > 0; part = rest.readNBytes(PART_BYTES)) {
                upload.add(part);
                size += part.length;
            }
            upload.complete();
            return size;
        }
    }
}
