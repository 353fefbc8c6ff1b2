package dev.satchel.server.objectstore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** An object sent in parts. Closing it before it is complete deletes the parts. */
final class S3MultipartUpload implements AutoCloseable {
    /** The limit of S3. */
    private static final int MAX_PARTS = 10_000;

    private final S3Client client;
    private final String bucket;
    private final ObjectKey key;
    private final String uploadId;
    private final List<CompletedPart> parts = new ArrayList<>();
    private boolean complete;

    S3MultipartUpload(S3Client client, String bucket, ObjectKey key) throws IOException {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
        this.uploadId =
                S3Errors.call(
                        "starting",
                        key,
                        () ->
                                client.createMultipartUpload(b -> b.bucket(bucket).key(key.value()))
                                        .uploadId());
    }

    void add(byte[] bytes) throws IOException {
        int number = parts.size() + 1;
        if (number > MAX_PARTS) {
            throw new IOException(key + " has more than " + MAX_PARTS + " parts");
        }
        String etag =
                S3Errors.call(
                        "writing",
                        key,
                        () ->
                                client.uploadPart(
                                                b ->
                                                        b.bucket(bucket)
                                                                .key(key.value())
                                                                .uploadId(uploadId)
                                                                .partNumber(number),
                                                S3Upload.body(bytes))
                                        .eTag());
        parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
    }

    void complete() throws IOException {
        S3Errors.call(
                "completing",
                key,
                () ->
                        client.completeMultipartUpload(
                                b ->
                                        b.bucket(bucket)
                                                .key(key.value())
                                                .uploadId(uploadId)
                                                .multipartUpload(m -> m.parts(parts))));
        complete = true;
    }

    /** The SDK refuses to work for an interrupted thread, so the interrupt waits its turn. */
    @Override
    public void close() throws IOException {
        if (complete) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            client.abortMultipartUpload(b -> b.bucket(bucket).key(key.value()).uploadId(uploadId));
        } catch (SdkException e) {
            throw S3Errors.failed("aborting " + key, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
