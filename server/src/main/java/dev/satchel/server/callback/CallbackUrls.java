package dev.satchel.server.callback;

import dev.satchel.http.security.Secrets;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The URLs that a sandbox calls. The URL of the zip contains an HMAC over run, bag and expiry, so
 * it is valid for no other chat and no longer time.
 */
public final class CallbackUrls {
    static final String PATH = "/api/assistant/sandbox/";

    private final Supplier<URI> publicUrl;
    private final byte[] signingKey;
    private final Duration zipLife;
    private final InstantSource clock;

    public CallbackUrls(
            Supplier<URI> publicUrl, String signingKey, Duration zipLife, InstantSource clock) {
        this.publicUrl = publicUrl;
        this.signingKey = signingKey.getBytes(StandardCharsets.UTF_8);
        this.zipLife = zipLife;
        this.clock = clock;
    }

    /** A signed URL of a run's bag. */
    record ZipUrl(String url, Instant expiresAt) {}

    String base(RunId run) {
        return publicUrl.get().toString().replaceAll("/+$", "") + PATH + run.value();
    }

    ZipUrl zip(Run run) {
        Instant expires = clock.instant().plus(zipLife);
        long seconds = expires.getEpochSecond();
        String url =
                base(run.id()) + "/assets.zip?exp=" + seconds + "&sig=" + signature(run, seconds);
        return new ZipUrl(url, expires);
    }

    /** Checks the signature before the expiry, so that the response reveals nothing about it. */
    boolean opensZip(Run run, long expires, String signature) {
        boolean genuine = Secrets.equal(signature(run, expires), signature);
        return genuine && expires >= clock.instant().getEpochSecond();
    }

    private String signature(Run run, long expires) {
        String chat = run.conversation().value();
        String text = "v1\n" + run.id().value() + "\n" + chat + "\n" + expires;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(signingKey, "HmacSHA256"));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
