package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. A PUT and the completion of a multipart upload are atomic there; nothing
 * else is relied on, neither conditional writes nor the store's own hashes.
 */
public final class S3ObjectStore implements ObjectStore {
    /**
     * How much of an object is held in memory; S3 wants at least 5 MiB and 10,000 parts at most.
     */
    private static final int PART_BYTES = 8 * 1024 * 1024;

    /** S3 copies no more than this at once. */
    private static final long MAX_COPY_BYTES = 5L * 1024 * 1024 * 1024;

    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Client client;
    private final String bucket;
    private final long maxCopyBytes;

    public S3ObjectStore(S3Settings settings) {
        this(settings, MAX_COPY_BYTES);
    }

    S3ObjectStore(S3Settings settings, long maxCopyBytes) {
        this.client = S3Clients.of(settings);
        this.bucket = settings.bucket();
        this.maxCopyBytes = maxCopyBytes;
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        Sha256Stream hashed = new Sha256Stream(content);
        byte[] part = hashed.readNBytes(PART_BYTES);
        long size = part.length < PART_BYTES ? putWhole(key, part) : putInParts(key, part, hashed);
        return new StoredObject(size, hashed.sha256());
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return new S3Content(
                S3Calls.call(
                        "reading",
                        key,
                        () -> client.getObject(b -> b.bucket(bucket).key(key.value()))));
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, Long.MAX_VALUE);
        if (length == 0) {
            size(key).orElseThrow(() -> new NoSuchObjectException(key));
            return InputStream.nullInputStream();
        }
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        try {
            return S3Calls.call(
                    "reading",
                    key,
                    () ->
                            new S3Content(
                                    client.getObject(
                                            b -> b.bucket(bucket).key(key.value()).range(range))));
        } catch (IOException e) {
            if (e.getCause() instanceof S3Exception refusal
                    && refusal.statusCode() == RANGE_NOT_SATISFIABLE) {
                return InputStream.nullInputStream();
            }
            throw e;
        }
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        try {
            return OptionalLong.of(
                    S3Calls.call(
                                    "looking at",
                                    key,
                                    () -> client.headObject(b -> b.bucket(bucket).key(key.value())))
                            .contentLength());
        } catch (NoSuchObjectException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        long size = size(from).orElseThrow(() -> new NoSuchObjectException(from));
        if (from.equals(to)) {
            return; // S3 refuses to copy an object onto itself
        }
        if (size > maxCopyBytes) {
            try (InputStream content = open(from)) {
                put(to, content);
            }
            return;
        }
        S3Calls.call(
                "copying",
                from,
                () ->
                        client.copyObject(
                                b ->
                                        b.sourceBucket(bucket)
                                                .sourceKey(from.value())
                                                .destinationBucket(bucket)
                                                .destinationKey(to.value())));
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        copy(from, to);
        if (!from.equals(to)) {
            delete(from);
        }
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        S3Calls.call(
                "deleting", key, () -> client.deleteObject(b -> b.bucket(bucket).key(key.value())));
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        ObjectKey.prefixSegments(prefix);
        long count = 0;
        try {
            S3Listing pages = new S3Listing(client, bucket, prefix);
            while (pages.hasNext()) {
                List<S3Object> page = pages.next();
                deleteAll(prefix, page);
                count += page.size();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return count;
    }

    @Override
    public Stream<ListedObject> list(String prefix) {
        if (!prefix.isEmpty()) {
            ObjectKey.prefixSegments(prefix);
        }
        return new S3Listing(client, bucket, prefix).objects();
    }

    @Override
    public void close() {
        client.close();
    }

    private long putWhole(ObjectKey key, byte[] bytes) throws IOException {
        S3Calls.call(
                "writing",
                key,
                () ->
                        client.putObject(
                                b -> b.bucket(bucket).key(key.value()),
                                S3MultipartUpload.body(bytes)));
        return bytes.length;
    }

    private long putInParts(ObjectKey key, byte[] first, InputStream rest) throws IOException {
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

    private void deleteAll(String prefix, List<S3Object> objects) throws IOException {
        if (objects.isEmpty()) {
            return;
        }
        List<ObjectIdentifier> keys =
                objects.stream()
                        .map(object -> ObjectIdentifier.builder().key(object.key()).build())
                        .toList();
        try {
            DeleteObjectsResponse response =
                    client.deleteObjects(
                            b -> b.bucket(bucket).delete(d -> d.objects(keys).quiet(true)));
            if (response.hasErrors() && !response.errors().isEmpty()) {
                throw new IOException(
                        "deleting " + prefix + " failed: " + response.errors().getFirst());
            }
        } catch (SdkException e) {
            throw S3Calls.failed("deleting " + prefix, e);
        }
    }
}
