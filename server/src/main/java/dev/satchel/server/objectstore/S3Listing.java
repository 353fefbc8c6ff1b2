package dev.satchel.server.objectstore;

import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The pages of a listing, each fetched when it is needed. */
final class S3Listing implements Iterator<List<S3Object>> {
    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final int pageSize;
    private @Nullable String continuation;
    private boolean more = true;

    S3Listing(S3Client client, String bucket, String prefix, int pageSize) {
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix;
        this.pageSize = pageSize;
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public List<S3Object> next() {
        if (!more) {
            throw new NoSuchElementException();
        }
        try {
            ListObjectsV2Response page =
                    client.listObjectsV2(
                            b ->
                                    b.bucket(bucket)
                                            .prefix(prefix)
                                            .maxKeys(pageSize)
                                            .continuationToken(continuation));
            continuation = page.nextContinuationToken();
            more = continuation != null;
            return page.contents();
        } catch (SdkException e) {
            throw new UncheckedIOException(S3Errors.failed("listing " + prefix, e));
        }
    }

    /** Leaves out objects whose names are not valid keys; other programs have created them. */
    Stream<ListedObject> objects() {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(this, Spliterator.NONNULL), false)
                .flatMap(List::stream)
                .flatMap(S3Listing::listed);
    }

    private static Stream<ListedObject> listed(S3Object object) {
        try {
            ObjectKey key = new ObjectKey(object.key());
            return Stream.of(new ListedObject(key, object.size(), object.lastModified()));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }
}
