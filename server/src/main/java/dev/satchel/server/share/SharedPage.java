package dev.satchel.server.share;

import dev.satchel.http.Exchange;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.share.ShareStore.SharedFile;
import dev.satchel.server.web.Html;
import dev.satchel.server.web.InlineStyle;
import dev.satchel.server.workspace.files.ListedFile;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a link: HTML without a script, and with nothing of other servers. */
final class SharedPage {
    private static final InlineStyle STYLE = InlineStyle.read("/shared.css");

    private static final String POLICY =
            "default-src 'none'; img-src 'self'; style-src "
                    + STYLE.source()
                    + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final String query;
    private final List<SharedFile> versions;

    /**
     * @param token of the link
     * @param versions of the files of the chat
     */
    SharedPage(CallerSecret token, List<SharedFile> versions) {
        this.query = "?token=" + encoded(token.value());
        this.versions = versions;
    }

    /** A complete page. */
    record Page(String title, String body) {
        void send(Exchange exchange, int status) {
            keepPrivate(exchange);
            exchange.header("Cache-Control", "no-store");
            exchange.header("X-Content-Type-Options", "nosniff");
            exchange.header("Content-Security-Policy", POLICY);
            byte[] html = html().getBytes(StandardCharsets.UTF_8);
            exchange.body(status, "text/html; charset=utf-8", html);
        }

        private String html() {
            return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex, nofollow, noarchive">
            <title>%s · Satchel</title>
            <link rel="icon" href="/satchel.svg" type="image/svg+xml">
            <style>%s</style>
            </head>
            <body><main>
            <h1>%s</h1>
            %s
            </main></body>
            </html>
            """
                    .formatted(Html.escape(title), STYLE.text(), Html.escape(title), body);
        }
    }

    /** Neither search engines nor the servers that a link leads to learn the address. */
    static void keepPrivate(Exchange exchange) {
        exchange.header("X-Robots-Tag", "noindex, nofollow, noarchive");
        exchange.header("Referrer-Policy", "no-referrer");
    }

    static Page refused() {
        return new Page(
                "This link does not work",
                "<p>It was revoked, has expired, or is unknown. Ask for a new one.</p>");
    }

    Page with(Share share, SharedContents.MessagePage thread, SharedContents.Workspace workspace) {
        String title = Objects.requireNonNullElse(share.title(), "Shared chat");
        return new Page(title, note(share) + messages(thread) + downloads(workspace));
    }

    private static String note(Share share) {
        return "<p class=\"note\">Shared by %s. This is the chat as it was on %s.</p>\n"
                .formatted(
                        Html.escape(Objects.requireNonNullElse(share.byName(), "a person")),
                        DATE.format(Instant.ofEpochMilli(share.createdAt())));
    }

    private String messages(SharedContents.MessagePage thread) {
        SharedMessage each = new SharedMessage(versions, this::linkTo);
        String older =
                thread.older() == null
                        ? ""
                        : "<p><a href=\"%s%s&amp;cursor=%d\">Earlier messages</a></p>\n"
                                .formatted(SharePages.PATH, query, thread.older());
        return older + thread.messages().stream().map(each::html).collect(Collectors.joining());
    }

    private String downloads(SharedContents.Workspace workspace) {
        return list(
                        "Files",
                        SharedFile.newest(versions).stream().map(file -> linkTo(file, file.path())))
                + list("Files of the workspace", workspace.files().stream().map(this::linkTo))
                + (workspace.more() ? "<p class=\"note\">There are more.</p>\n" : "");
    }

    private static String list(String title, Stream<String> links) {
        String items = links.map("<li>%s</li>\n"::formatted).collect(Collectors.joining());
        return items.isEmpty()
                ? ""
                : "<h2>%s</h2>\n<ul class=\"files\">\n%s</ul>\n".formatted(title, items);
    }

    private String linkTo(SharedFile file, String name) {
        return link("/files/" + file.id().value(), name, file.stored().size());
    }

    private String linkTo(ListedFile file) {
        String path =
                Stream.of(file.path().split("/", -1))
                        .map(SharedPage::encoded)
                        .collect(Collectors.joining("/"));
        return link("/workspace/" + path, file.path(), file.size());
    }

    private String link(String path, String name, long size) {
        return "<a href=\"%s%s%s\" download>%s</a> <span class=\"size\">%s</span>"
                .formatted(SharePages.PATH, path, query, Html.escape(name), bytes(size));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String bytes(long size) {
        if (size < 1000) {
            return size + " B";
        }
        return size < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", size / 1e3)
                : String.format(Locale.ROOT, "%.1f MB", size / 1e6);
    }
}
