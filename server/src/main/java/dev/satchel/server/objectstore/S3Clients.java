package dev.satchel.server.objectstore;

import dev.satchel.server.database.OutageLog;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Creates a client of the AWS SDK from settings. */
final class S3Clients {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** How long the store may be silent; the SDK then tries again a few times. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(10);

    private S3Clients() {}

    static S3Client of(S3Settings settings) {
        S3ClientBuilder builder =
                S3Client.builder()
                        .httpClientBuilder(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(CONNECT_TIMEOUT)
                                        .socketTimeout(SOCKET_TIMEOUT))
                        .region(Region.of(settings.region()))
                        .overrideConfiguration(o -> o.addExecutionInterceptor(outages()))
                        .forcePathStyle(settings.pathStyle())
                        .credentialsProvider(credentials(settings));
        URI endpoint = settings.endpoint();
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        if (settings.plainUploads()) {
            builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                    .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        }
        return builder.build();
    }

    private static S3OutageInterceptor outages() {
        return new S3OutageInterceptor(new OutageLog("the object store"));
    }

    private static AwsCredentialsProvider credentials(S3Settings settings) {
        S3Settings.Credentials pair = settings.credentials();
        if (pair == null) {
            return DefaultCredentialsProvider.builder().build();
        }
        return StaticCredentialsProvider.create(
                AwsBasicCredentials.create(pair.accessKey(), pair.secretKey()));
    }
}
