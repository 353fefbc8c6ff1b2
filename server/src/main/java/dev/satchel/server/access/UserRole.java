package dev.satchel.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a person may do in a tenant. Each role may do what the ones before it may. */
public enum UserRole {
    /** Reads what others share. */
    VIEWER,
    /** Has chats, files and runs, and uses what the tenant has. */
    MEMBER,
    /** Changes what belongs to the tenant, its people and its keys. */
    OWNER;

    public boolean includes(UserRole wanted) {
        return compareTo(wanted) >= 0;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with a name, as requests have it. */
    public static Optional<UserRole> find(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    static UserRole ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
