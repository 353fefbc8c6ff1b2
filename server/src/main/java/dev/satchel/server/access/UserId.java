package dev.satchel.server.access;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A person of a tenant. It is unique within the tenant only, so it is always used together with the
 * {@link TenantId}.
 */
public record UserId(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** The first owner of every tenant, who has what belonged to the tenant alone. */
    public static final UserId FIRST_OWNER = new UserId("owner");

    public UserId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a user id: " + value);
        }
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }

    public static UserId random() {
        return new UserId(UUID.randomUUID().toString());
    }
}
