package dev.satchel.server.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. This relies on an atomic PUT and an atomic completion of a multipart upload,
 * but not on conditional writes or hashes of the store. A crash during an upload leaves its parts:
 * give the bucket a lifecycle rule that deletes incomplete uploads.
 */
public final class S3ObjectStore implements ObjectStore {
    /** The largest object that S3 copies in one request. */
    private static final long MAX_COPY_BYTES = 5L * 1024 * 1024 * 1024;

    /** The most objects that S3 lists or deletes in one request. */
    private static final int PAGE_SIZE = 1000;

    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Client client;
    private final String bucket;
    private final long maxCopyBytes;
    private final int pageSize;

    public S3ObjectStore(S3Settings settings) {
        this(settings, MAX_COPY_BYTES, PAGE_SIZE);
    }

    S3ObjectStore(S3Settings settings, long maxCopyBytes, int pageSize) {
        this.client = S3Clients.of(settings);
        this.bucket = settings.bucket();
        this.maxCopyBytes = maxCopyBytes;
        this.pageSize = pageSize;
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return new S3Upload(client, bucket, key).send(content);
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return new S3Content(
                S3Errors.call(
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
            return S3Errors.call(
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
                    S3Errors.call(
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
        S3Errors.call(
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
        S3Errors.call(
                "deleting", key, () -> client.deleteObject(b -> b.bucket(bucket).key(key.value())));
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        ObjectKey.prefixSegments(prefix);
        long count = 0;
        try {
            S3Listing pages = new S3Listing(client, bucket, prefix, pageSize);
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
        return new S3Listing(client, bucket, prefix, pageSize).objects();
    }

    @Override
    public void close() {
        client.close();
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
            throw S3Errors.failed("deleting " + prefix, e);
        }
    }

    /** The bytes of an object. Closing it early closes the connection and skips the rest. */
    static final class S3Content extends FilterInputStream {
        private final ResponseInputStream<GetObjectResponse> response;
        private boolean ended;

        S3Content(ResponseInputStream<GetObjectResponse> response) {
            super(response);
            this.response = response;
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            ended |= b < 0;
            return b;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int n = in.read(bytes, offset, length);
            ended |= n < 0;
            return n;
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                response.abort();
            }
            super.close();
        }
    }
}
