package dev.satchel.tools.document;

import dev.satchel.documents.DocumentPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a document is read. A null field is no restriction.
 *
 * @param pages such as {@code 3}, {@code 3-7} or {@code 3-}; also slides and chapters
 * @param sheet the name or the number of a sheet
 * @param range cells of the sheet, such as {@code A1:F200}
 */
public record DocumentSelection(
        @Nullable String pages, @Nullable String sheet, @Nullable String range) {
    public static final DocumentSelection ALL = new DocumentSelection(null, null, null);

    private static final Pattern PAGES = Pattern.compile("([1-9]\\d{0,6})(-([1-9]\\d{0,6})?)?");
    private static final Pattern RANGE =
            Pattern.compile("[A-Za-z]{1,3}[1-9]\\d{0,6}(:[A-Za-z]{1,3}[1-9]\\d{0,6})?");
    private static final int MAX_SHEET = 255;
    private static final int MAX_PAGE = 9_999_999;

    /** Refuses what no document has; the message names the field and is for the agent. */
    public DocumentSelection {
        if (pages != null) {
            pages = pages.replace(" ", "");
            Matcher matcher = PAGES.matcher(pages);
            boolean isRange = matcher.matches();
            if (!isRange || last(matcher) < Integer.parseInt(matcher.group(1))) {
                throw new IllegalArgumentException("pages must be like \"3\", \"3-7\" or \"3-\"");
            }
        }
        if (sheet != null && (sheet.isBlank() || sheet.length() > MAX_SHEET || hasControl(sheet))) {
            throw new IllegalArgumentException("sheet must be the name or the number of a sheet");
        }
        if (range != null) {
            if (!RANGE.matcher(range).matches()) {
                throw new IllegalArgumentException("range must be like \"A1:F200\"");
            }
            range = range.toUpperCase(Locale.ROOT);
        }
    }

    public static DocumentSelection ofPages(String pages) {
        return new DocumentSelection(pages, null, null);
    }

    public boolean isAll() {
        return pages == null && sheet == null && range == null;
    }

    /** The first of the pages; 1 when all are wanted. */
    public int firstPage() {
        return pages == null ? 1 : Integer.parseInt(matched(pages).group(1));
    }

    /** The last of the pages, or a number that no page has. */
    public int lastPage() {
        return pages == null ? MAX_PAGE : last(matched(pages));
    }

    public boolean isSinglePage() {
        return pages != null && firstPage() == lastPage();
    }

    /** Whether a part of the whole document is among the wanted ones; cells are not regarded. */
    public boolean includes(DocumentPart part) {
        if (part.number() < firstPage() || part.number() > lastPage()) {
            return false;
        }
        return sheet == null
                || sheet.equalsIgnoreCase(part.title())
                || sheet.equals(Integer.toString(part.number()));
    }

    /** As arguments of the extraction program. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (pages != null) {
            arguments.addAll(List.of("--pages", firstPage() + "-" + lastPage()));
        }
        if (sheet != null) {
            arguments.addAll(List.of("--sheet", sheet));
        }
        if (range != null) {
            arguments.addAll(List.of("--range", range));
        }
        return arguments;
    }

    private static Matcher matched(String pages) {
        Matcher matcher = PAGES.matcher(pages);
        if (!matcher.matches()) {
            throw new IllegalStateException(pages);
        }
        return matcher;
    }

    private static int last(Matcher pages) {
        if (pages.group(2) == null) {
            return Integer.parseInt(pages.group(1));
        }
        return pages.group(3) == null ? MAX_PAGE : Integer.parseInt(pages.group(3));
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }
}
