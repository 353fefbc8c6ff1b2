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
 * Encrypts stored responses with a key that only the client has. Some responses have a secret, such
 * as a new API key, of which only the hash may be stored.
 */
final class ResponseCipher {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;

    ResponseCipher(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
    }

    String encrypt(StoredResponse response) {
        byte[] nonce = Secrets.randomBytes(NONCE_BYTES);
        byte[] encrypted = run(Cipher.ENCRYPT_MODE, nonce, Json.MAPPER.writeValueAsBytes(response));
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(nonce.length + encrypted.length)
                                .put(nonce)
                                .put(encrypted)
                                .array());
    }

    StoredResponse decrypt(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] encrypted = new byte[bytes.remaining() - NONCE_BYTES];
        bytes.get(nonce).get(encrypted);
        return Json.MAPPER.readValue(
                run(Cipher.DECRYPT_MODE, nonce, encrypted), StoredResponse.class);
    }

    private byte[] run(int mode, byte[] nonce, byte[] bytes) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "a stored response cannot be encrypted or decrypted", e);
        }
    }
}
