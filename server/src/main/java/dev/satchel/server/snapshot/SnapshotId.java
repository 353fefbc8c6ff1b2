package dev.satchel.server.snapshot;

import java.util.UUID;
import java.util.regex.Pattern;

/** {@code ?at=} on the wire: a UUID in lower case. */
public record SnapshotId(String value) {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public SnapshotId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a snapshot id: " + value);
        }
    }

    public static SnapshotId random() {
        return new SnapshotId(UUID.randomUUID().toString());
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
