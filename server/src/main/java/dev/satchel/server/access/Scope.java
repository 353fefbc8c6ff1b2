package dev.satchel.server.access;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A part of what a person may do, to which an API key can be restricted. */
public enum Scope {
    /** People, keys, sessions, credentials and the audit log. */
    ADMIN,
    /** Agents and skills. */
    AGENTS,
    /** Chats, their runs and answers. */
    CHAT,
    /** Files of chats, uploads, workspaces and assets. */
    FILES,
    /** Reading of everything that is not part of {@link #ADMIN}. */
    READ;

    public static final Set<Scope> ALL = Set.of(values());

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Their names in the order of the alphabet. */
    public static List<String> words(Collection<Scope> scopes) {
        return scopes.stream().sorted().map(Scope::word).toList();
    }

    /** As it is stored: in the order of the alphabet, with commas. */
    static String format(Collection<Scope> scopes) {
        return String.join(",", words(scopes));
    }

    /** The scope with a name, as requests have it. */
    public static Optional<Scope> find(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word().equals(word)).findFirst();
    }

    /** Reads what {@link #format} has written. */
    static Set<Scope> parse(String stored) {
        EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
        Arrays.stream(stored.split(",", -1))
                .filter(word -> !word.isEmpty())
                .forEach(word -> scopes.add(valueOf(word.toUpperCase(Locale.ROOT))));
        return Set.copyOf(scopes);
    }
}
