package dev.satchel.server.idempotency;

import dev.satchel.http.StoredResponse;
import dev.satchel.http.security.Secrets;
import dev.satchel.protocol.Json;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps answers unreadable for everybody without the client's key. Some of them tell a secret, such
 * as a new API key, of which we promise to keep only the hash.
 */
final class ResponseCipher {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;

    ResponseCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    String close(StoredResponse answer) {
        byte[] nonce = Secrets.randomBytes(NONCE_BYTES);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, Json.MAPPER.writeValueAsBytes(answer));
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(nonce.length + sealed.length)
                                .put(nonce)
                                .put(sealed)
                                .array());
    }

    StoredResponse open(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] sealed = new byte[bytes.remaining() - NONCE_BYTES];
        bytes.get(nonce).get(sealed);
        return Json.MAPPER.readValue(run(Cipher.DECRYPT_MODE, nonce, sealed), StoredResponse.class);
    }

    private byte[] run(int mode, byte[] nonce, byte[] bytes) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a kept answer cannot be sealed or opened", e);
        }
    }
}
