package dev.satchel.server.configuration;

import dev.satchel.server.database.PostgresqlUrl;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads one setting after the other and collects the problems, so that all of them are reported at
 * once. A flag has precedence over its variable; an empty variable counts as unset.
 */
final class SettingsReader {
    private static final String OWN_PREFIX = "SATCHEL_";

    private final Map<String, String> flags;
    private final Map<String, String> variables;
    private final Set<String> known = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /** {@code flags} is keyed by the flag's name, such as {@code --port}. */
    SettingsReader(Map<String, String> flags, Map<String, String> variables) {
        this.flags = Map.copyOf(flags);
        this.variables = Map.copyOf(variables);
    }

    void problem(String problem) {
        problems.add(problem);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Variables with our prefix that nothing reads: they are most likely misspelt. */
    List<String> unknown() {
        return variables.keySet().stream()
                .filter(name -> name.startsWith(OWN_PREFIX) && !known.contains(name))
                .sorted()
                .toList();
    }

    /** Names variables that are read later or by another program, so that they are not unknown. */
    void expect(String... names) {
        known.addAll(List.of(names));
    }

    String text(String variable, String fallback) {
        return find(variable).map(Given::value).orElse(fallback);
    }

    @Nullable String optionalText(String variable) {
        return find(variable).map(Given::value).orElse(null);
    }

    int integer(String variable, String flag, int fallback, int least, int most) {
        return Math.toIntExact(number(find(variable, flag), fallback, least, most));
    }

    int integer(String variable, int fallback, int least, int most) {
        return Math.toIntExact(number(find(variable), fallback, least, most));
    }

    long number(String variable, long fallback, long least) {
        return number(find(variable), fallback, least, Long.MAX_VALUE);
    }

    Duration seconds(String variable, int fallback, int most) {
        return Duration.ofSeconds(integer(variable, fallback, 1, most));
    }

    Duration millis(String variable, Duration fallback) {
        long most = Duration.ofDays(36_500).toMillis(); // no sum with a time overflows
        return Duration.ofMillis(number(find(variable), fallback.toMillis(), 0, most));
    }

    Duration days(String variable, Duration fallback) {
        return Duration.ofDays(integer(variable, Math.toIntExact(fallback.toDays()), 0, 36_500));
    }

    boolean bool(String variable, boolean fallback) {
        Optional<Given> given = find(variable);
        if (given.isEmpty()) {
            return fallback;
        }
        return switch (given.get().value().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> wrong(given.get(), "must be true or false", fallback);
        };
    }

    <E extends Enum<E>> E choice(String variable, Class<E> type, E fallback) {
        Optional<Given> given = find(variable);
        if (given.isEmpty()) {
            return fallback;
        }
        List<String> names =
                Stream.of(type.getEnumConstants())
                        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                        .toList();
        if (!names.contains(given.get().value())) {
            return wrong(given.get(), "must be one of " + String.join(", ", names), fallback);
        }
        return Enum.valueOf(type, given.get().value().toUpperCase(Locale.ROOT));
    }

    Path directory(String variable, String flag, String fallback) {
        Given given = find(variable, flag).orElse(new Given(variable, fallback));
        try {
            return given.value().isBlank()
                    ? wrong(given, "must be a folder", Path.of(fallback))
                    : Path.of(given.value()).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            return wrong(given, "must be a folder", Path.of(fallback));
        }
    }

    String host(String variable, String flag, String fallback) {
        Given given = find(variable, flag).orElse(new Given(variable, fallback));
        if (!given.value().matches("[A-Za-z0-9.:_-]+")) {
            return wrong(given, "must be a host name or address", fallback);
        }
        return given.value();
    }

    /** Without a trailing slash, so that paths can be appended. */
    @Nullable URI url(String variable, String... schemes) {
        Optional<Given> given = find(variable);
        if (given.isEmpty()) {
            return null;
        }
        return parseUrl(given.get(), url -> url.getHost() != null, schemes);
    }

    /** A URL with a password: it may come from a file, and no problem repeats it. */
    @Nullable URI databaseUrl(String variable) {
        Secret secret = secret(variable);
        return secret == null
                ? null
                : parseUrl(
                        new Given(variable, secret.value(), true),
                        PostgresqlUrl::isValid,
                        "postgresql",
                        "postgres");
    }

    /** From the variable itself or from the file that {@code <variable>_FILE} names. */
    @Nullable Secret secret(String variable) {
        Optional<Given> direct = find(variable);
        Optional<Given> file = find(variable + "_FILE");
        if (file.isEmpty()) {
            return direct.map(given -> new Secret(given.value())).orElse(null);
        }
        if (direct.isPresent()) {
            problem(variable + " and " + variable + "_FILE are both set; keep one");
            return null;
        }
        return readSecret(file.get());
    }

    /** The content of the file that a variable names; empty when it is not set. */
    Optional<String> content(String variable) {
        return find(variable).map(this::read);
    }

    private String read(Given file) {
        try {
            return Files.readString(Path.of(file.value()));
        } catch (IOException | InvalidPathException e) {
            return wrong(file, "names a file that cannot be read", "");
        }
    }

    private @Nullable Secret readSecret(Given file) {
        try {
            String content = Files.readString(Path.of(file.value())).strip();
            if (!content.isEmpty()) {
                return new Secret(content);
            }
            problem(file.name() + " names an empty file: " + file.value());
        } catch (IOException | InvalidPathException e) {
            problem(file.name() + " names a file that cannot be read: " + file.value());
        }
        return null;
    }

    private @Nullable URI parseUrl(Given given, Predicate<URI> hasHost, String... schemes) {
        String expected = "must be a URL such as " + schemes[0] + "://host:port";
        try {
            URI url = new URI(given.value().replaceAll("/+$", ""));
            if (!hasHost.test(url) || !List.of(schemes).contains(url.getScheme())) {
                return wrong(given, expected, null);
            }
            return url;
        } catch (URISyntaxException e) {
            return wrong(given, expected, null);
        }
    }

    private long number(Optional<Given> given, long fallback, long least, long most) {
        if (given.isEmpty()) {
            return fallback;
        }
        String expected =
                most == Long.MAX_VALUE
                        ? "must be a whole number of at least " + least
                        : "must be a whole number from " + least + " to " + most;
        try {
            long value = Long.parseLong(given.get().value());
            return value >= least && value <= most ? value : wrong(given.get(), expected, fallback);
        } catch (NumberFormatException e) {
            return wrong(given.get(), expected, fallback);
        }
    }

    private <T extends @Nullable Object> T wrong(Given given, String expected, T fallback) {
        problem(given.name() + " " + expected + ", not " + given.shown());
        return fallback;
    }

    private Optional<Given> find(String variable, String flag) {
        known.add(variable);
        String value = flags.get(flag);
        return value == null ? find(variable) : Optional.of(new Given(flag, value));
    }

    private Optional<Given> find(String variable) {
        known.add(variable);
        return Optional.ofNullable(variables.get(variable))
                .filter(value -> !value.isBlank())
                .map(value -> new Given(variable, value.strip()));
    }

    /** A value, and the flag or variable it comes from. */
    private record Given(String name, String value, boolean secret) {
        Given(String name, String value) {
            this(name, value, false);
        }

        String shown() {
            return secret ? "what is given" : "\"" + value + "\"";
        }
    }
}
