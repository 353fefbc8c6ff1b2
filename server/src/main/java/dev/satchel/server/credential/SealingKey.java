package dev.satchel.server.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.security.Secrets;
import dev.satchel.http.security.Sha256;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of AES-256 in Galois/Counter Mode. A sealed text belongs to its context: it cannot be
 * opened with another one.
 */
public final class SealingKey {
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int ID_LENGTH = 16;

    private final byte[] bytes;

    private SealingKey(byte[] bytes) {
        this.bytes = bytes;
    }

    static SealingKey random() {
        return new SealingKey(Secrets.randomBytes(KEY_BYTES));
    }

    /** A key in Base64; anything else is an {@link IllegalArgumentException}. */
    static SealingKey parse(String base64) {
        byte[] bytes = Base64.getDecoder().decode(base64.strip());
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has " + KEY_BYTES + " bytes");
        }
        return new SealingKey(bytes);
    }

    String encoded() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Tells keys apart without revealing them. */
    String id() {
        return Sha256.hex(encoded()).substring(0, ID_LENGTH);
    }

    String seal(String text, String context) {
        byte[] nonce = Secrets.randomBytes(NONCE_BYTES);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(text.getBytes(UTF_8));
            byte[] whole =
                    ByteBuffer.allocate(nonce.length + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array();
            return Base64.getEncoder().encodeToString(whole);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES/GCM", e);
        }
    }

    /** Throws if the text was changed, or was sealed with another key or context. */
    String open(String sealed, String context) throws GeneralSecurityException {
        ByteBuffer whole = ByteBuffer.wrap(Base64.getDecoder().decode(sealed));
        byte[] nonce = new byte[NONCE_BYTES];
        whole.get(nonce);
        byte[] rest = new byte[whole.remaining()];
        whole.get(rest);
        return new String(cipher(Cipher.DECRYPT_MODE, nonce, context).doFinal(rest), UTF_8);
    }

    private Cipher cipher(int mode, byte[] nonce, String context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(bytes, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context.getBytes(UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "***";
    }
}
