package dev.satchel.server.asset;

import java.util.UUID;
import java.util.regex.Pattern;

/** A UUID in lower case. */
public record AssetId(String value) {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public AssetId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not an asset id");
        }
    }

    static AssetId random() {
        return new AssetId(UUID.randomUUID().toString());
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
