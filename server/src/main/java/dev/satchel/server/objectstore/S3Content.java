package dev.satchel.server.objectstore;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The bytes of an object. Closing it early closes the connection and skips the rest. */
final class S3Content extends FilterInputStream {
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
