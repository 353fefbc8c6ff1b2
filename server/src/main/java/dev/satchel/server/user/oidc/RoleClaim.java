package dev.satchel.server.user.oidc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the roles of a person among the claims of an ID token. */
final class RoleClaim {
    private RoleClaim() {}

    /**
     * The values of a claim, which is a text or a list. A name is taken as it stands, because some
     * providers have addresses as names, and else as a path with dots.
     */
    static List<String> values(Map<String, Object> claims, @Nullable String name) {
        if (name == null) {
            return List.of();
        }
        return texts(claims.containsKey(name) ? claims.get(name) : atPath(claims, name));
    }

    private static @Nullable Object atPath(Map<String, Object> claims, String path) {
        Object at = claims;
        for (String part : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> object ? object.get(part) : null;
        }
        return at;
    }

    private static List<String> texts(@Nullable Object value) {
        return switch (value) {
            case String text -> List.of(text);
            case List<?> list ->
                    list.stream().filter(String.class::isInstance).map(String.class::cast).toList();
            case null, default -> List.of();
        };
    }
}
