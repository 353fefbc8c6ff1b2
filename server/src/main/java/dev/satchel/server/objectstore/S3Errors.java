package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** Turns unchecked exceptions of the AWS SDK into IOExceptions. */
final class S3Errors {
    private S3Errors() {}

    static <T> T call(String what, ObjectKey key, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (NoSuchKeyException e) {
            throw new NoSuchObjectException(key);
        } catch (SdkException e) {
            throw failed(what + " " + key, e);
        }
    }

    static IOException failed(String what, SdkException cause) {
        if (cause instanceof AbortedException) {
            InterruptedIOException interrupted = new InterruptedIOException(what + " interrupted");
            interrupted.initCause(cause);
            return interrupted;
        }
        return new ObjectStoreUnavailableException(what + " failed: " + cause.getMessage(), cause);
    }

    @FunctionalInterface
    interface Call<T> {
        T run();
    }
}
