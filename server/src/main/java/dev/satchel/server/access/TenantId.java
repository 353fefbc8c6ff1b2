package dev.satchel.server.access;

import java.util.regex.Pattern;

/** The owner of conversations and files; {@code workspaceId} in requests and responses. */
public record TenantId(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public static final TenantId DEFAULT = new TenantId("default");

    public TenantId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a tenant id: " + value);
        }
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
