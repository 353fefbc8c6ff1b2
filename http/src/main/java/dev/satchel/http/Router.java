package dev.satchel.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of routes. Each feature adds its own. Where several templates match a path, the one
 * with the earlier literal segment is chosen.
 */
public final class Router {
    private record Entry(PathTemplate template, Route route) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, ErrorFormat> errorFormats = new HashMap<>();
    private Function<Throwable, Optional<SatchelException>> knownFailures = _ -> Optional.empty();

    public Router get(String template, Handler handler) {
        return add("GET", template, handler);
    }

    public Router post(String template, Handler handler) {
        return add("POST", template, handler);
    }

    public Router put(String template, Handler handler) {
        return add("PUT", template, handler);
    }

    public Router patch(String template, Handler handler) {
        return add("PATCH", template, handler);
    }

    public Router delete(String template, Handler handler) {
        return add("DELETE", template, handler);
    }

    public Router add(String method, String template, Handler handler) {
        Route route = new Route(method, template, handler);
        boolean taken =
                entries.stream()
                        .map(Entry::route)
                        .anyMatch(r -> r.method().equals(method) && r.template().equals(template));
        if (taken) {
            throw new IllegalStateException("two handlers for " + method + " " + template);
        }
        entries.add(new Entry(PathTemplate.of(template), route));
        entries.sort(Comparator.comparing(Entry::template));
        return this;
    }

    /** Sets the format of errors for a path and all paths below it, known or not. */
    public Router errorFormat(String path, ErrorFormat format) {
        errorFormats.put(path, format);
        return this;
    }

    /** Sets the errors for failures that are no mistake of this program, such as a full disk. */
    public Router knownFailures(Function<Throwable, Optional<SatchelException>> known) {
        knownFailures = known;
        return this;
    }

    public List<Route> routes() {
        return entries.stream().map(Entry::route).toList();
    }

    Optional<SatchelException> knownFailure(Throwable failure) {
        return knownFailures.apply(failure);
    }

    /** The format set for the longest path that is this one or above it. */
    ErrorFormat errorFormat(String path) {
        for (String group = path; !group.isEmpty(); ) {
            ErrorFormat format = errorFormats.get(group);
            if (format != null) {
                return format;
            }
            group = group.substring(0, Math.max(0, group.lastIndexOf('/')));
        }
        return ErrorFormat.PROBLEM_DETAILS;
    }

    record Match(Route route, Map<String, String> parameters) {}

    /** Finds the route; a known path with another method is 405, an unknown one 404. */
    Match match(String method, String path) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        List<String> others = new ArrayList<>();
        for (Entry entry : entries) {
            Optional<Map<String, String>> parameters = entry.template().match(path);
            if (parameters.isEmpty()) {
                continue;
            }
            String offered = entry.route().method();
            if (offered.equals(method) || offered.equals(wanted)) {
                return new Match(entry.route(), parameters.get());
            }
            others.add(offered);
        }
        throw others.isEmpty() ? noRoute(method, path) : otherMethods(method, others);
    }

    private static SatchelException noRoute(String method, String path) {
        return new SatchelException(ErrorCode.NOT_FOUND, "no route " + method + " " + path);
    }

    private static SatchelException otherMethods(String method, List<String> others) {
        String allowed = others.stream().distinct().sorted().collect(Collectors.joining(", "));
        return new SatchelException(
                        ErrorCode.METHOD_NOT_ALLOWED, method + " is not one of " + allowed)
                .withHeaders(Map.of("Allow", allowed));
    }
}
