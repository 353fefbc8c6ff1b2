package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.markup.RtfGroup.Destination;
import dev.satchel.documents.reading.Links;
import dev.satchel.documents.reading.SectionWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes paragraphs, list items and tables of the words and bytes of RTF. */
final class RtfText {
    private static final int MAX_CHARS = 16 * 1024 * 1024;
    private static final int MAX_FONTS = 10_000;
    private static final Pattern HYPERLINK = Pattern.compile("HYPERLINK\\s+\"([^\"]*)\"");
    private static final Set<String> UNSEEN =
            Set.of(
                    "colortbl",
                    "stylesheet",
                    "info",
                    "pict",
                    "object",
                    "themedata",
                    "datastore",
                    "listtable",
                    "listoverridetable",
                    "rsidtbl",
                    "generator",
                    "xmlnstbl",
                    "mmathPr",
                    "latentstyles",
                    "colorschememapping",
                    "filetbl",
                    "revtbl",
                    "bkmkstart",
                    "bkmkend",
                    "pnseclvl",
                    "atnid",
                    "atntime",
                    "atndate",
                    "atnref",
                    "atrfstart",
                    "atrfend");

    private final SectionWriter sections;
    private final Map<Destination, StringBuilder> texts = new EnumMap<>(Destination.class);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Map<Integer, Charset> fonts = new HashMap<>();
    private final List<String> cells = new ArrayList<>();
    private int font;
    private int toSkip;
    private int outline;
    private boolean isInTable;

    RtfText(SectionWriter sections) {
        this.sections = sections;
    }

    /** A byte of text in the encoding of its group. */
    void add(RtfGroup group, int value) throws IOException {
        if (toSkip > 0) {
            toSkip--;
        } else if (!group.isHidden && group.destination != Destination.NOWHERE) {
            bytes.write(value);
        }
        if (bytes.size() > MAX_CHARS) {
            flush(group);
        }
    }

    void word(RtfGroup group, RtfScanner scanner) throws IOException {
        flush(group);
        String word = scanner.word();
        if (word.equals("bin")) {
            scanner.skip(scanner.number(0));
        } else if (word.equals("*")) {
            group.isIgnorable = true;
        } else if (word.equals("u")) {
            append(group, String.valueOf((char) scanner.number('?')));
            toSkip = group.replacementLength;
        } else if (!destination(group, word) && !sign(group, word)) {
            property(group, word, scanner);
        }
    }

    void endGroup(RtfGroup group) throws IOException {
        flush(group);
        toSkip = 0;
        if (!group.isOwner) {
            return;
        }
        String text = take(group.destination).strip();
        switch (group.destination) {
            case FOOTNOTE -> body().append(sections.footnote(text));
            case COMMENT -> {
                String author = take(Destination.COMMENT_AUTHOR).strip();
                String by = author.isEmpty() ? "" : " by " + author;
                body().append(" [comment").append(by).append(": ").append(text).append("]");
            }
            case COMMENT_AUTHOR -> texts.put(Destination.COMMENT_AUTHOR, new StringBuilder(text));
            case HEADER -> {
                if (!text.isEmpty()) {
                    sections.blocks().paragraph("[header or footer: " + text + "]");
                }
            }
            case LIST_MARK -> texts.put(Destination.LIST_MARK, new StringBuilder(text));
            case LINK -> {
                Matcher link = HYPERLINK.matcher(text);
                if (link.find()) {
                    body().append(Links.format("", link.group(1))).append(' ');
                }
            }
            case BODY, FONTS, NOWHERE -> {
                // the paragraph goes on, or nothing was collected
            }
        }
    }

    void end() throws IOException {
        paragraph();
    }

    /** Opens another destination; gives whether the word names one. */
    private boolean destination(RtfGroup group, String word) {
        switch (word) {
            case "footnote" -> group.open(Destination.FOOTNOTE);
            case "annotation" -> group.open(Destination.COMMENT);
            case "atnauthor" -> group.open(Destination.COMMENT_AUTHOR);
            case "header",
                    "footer",
                    "headerf",
                    "footerf",
                    "headerl",
                    "footerl",
                    "headerr",
                    "footerr" ->
                    group.open(Destination.HEADER);
            case "listtext", "pntext" -> group.open(Destination.LIST_MARK);
            case "fonttbl" -> group.open(Destination.FONTS);
            case "fldinst" -> group.open(Destination.LINK);
            case "shptxt" -> group.isIgnorable = false;
            default -> {
                boolean isUnseen = UNSEEN.contains(word) || group.isIgnorable;
                boolean isShape = word.equals("shpinst") || word.equals("fldrslt");
                if (!isUnseen || isShape) {
                    return false;
                }
                group.destination = Destination.NOWHERE;
            }
        }
        return true;
    }

    /** Appends a sign, or ends a paragraph, a cell or a row; gives whether the word means one. */
    private boolean sign(RtfGroup group, String word) throws IOException {
        switch (word) {
            case "par", "sect", "page" -> {
                if (group.destination == Destination.BODY && !isInTable) {
                    paragraph();
                } else {
                    append(group, "\n");
                }
            }
            case "line" -> append(group, "\n");
            case "tab" -> append(group, "\t");
            case "cell", "nestcell" -> {
                if (group.destination == Destination.BODY) {
                    cells.add(take(Destination.BODY));
                }
            }
            case "row", "nestrow" -> row();
            case "emdash" -> append(group, "—");
            case "endash" -> append(group, "–");
            case "lquote" -> append(group, "‘");
            case "rquote" -> append(group, "’");
            case "ldblquote" -> append(group, "“");
            case "rdblquote" -> append(group, "”");
            case "bullet" -> append(group, "•");
            case "~" -> append(group, "\u00a0");
            case "_" -> append(group, "-");
            case "\\", "{", "}" -> append(group, word);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void property(RtfGroup group, String word, RtfScanner scanner) {
        switch (word) {
            case "ansicpg" -> fonts.put(-1, codePage(scanner.number(1252)));
            case "mac" -> fonts.put(-1, named("x-MacRoman"));
            case "f" -> {
                font = scanner.number(0);
                if (group.destination != Destination.FONTS) {
                    group.charset = fonts.getOrDefault(font, standard(group));
                }
            }
            case "fcharset" -> {
                if (group.destination == Destination.FONTS && fonts.size() < MAX_FONTS) {
                    int page = RtfCharsets.codePage(scanner.number(0));
                    fonts.put(font, page == 0 ? standard(group) : codePage(page));
                }
            }
            case "plain" -> {
                group.charset = standard(group);
                group.isHidden = false;
            }
            case "uc" -> group.replacementLength = Math.clamp(scanner.number(1), 0, 16);
            case "v", "deleted" -> group.isHidden = scanner.number(1) != 0;
            case "pard" -> {
                outline = 0;
                isInTable = false;
            }
            case "intbl" -> isInTable = true;
            case "outlinelevel" -> outline = scanner.number(9) >= 9 ? 0 : scanner.number(0) + 1;
            default -> {
                // how it looks
            }
        }
    }

    private Charset standard(RtfGroup group) {
        return fonts.getOrDefault(-1, group.charset);
    }

    private static Charset codePage(int page) {
        return page == 65001
                ? named("UTF-8")
                : named(
                        page == 932 ? "windows-31j" : "x-windows-" + page,
                        "windows-" + page,
                        "Cp" + page);
    }

    private static Charset named(String... names) {
        for (String name : names) {
            if (Charset.isSupported(name)) {
                return Charset.forName(name);
            }
        }
        return Charset.forName("windows-1252");
    }

    private void flush(RtfGroup group) throws IOException {
        if (bytes.size() > 0) {
            append(group, bytes.toString(group.charset));
            bytes.reset();
        }
    }

    private void append(RtfGroup group, String text) throws IOException {
        if (group.isHidden
                || group.destination == Destination.NOWHERE
                || group.destination == Destination.FONTS) {
            return;
        }
        StringBuilder target = texts.computeIfAbsent(group.destination, _ -> new StringBuilder());
        if (target.length() > MAX_CHARS) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The file has one paragraph of more than " + MAX_CHARS + " characters.");
        }
        target.append(text);
    }

    private void row() throws IOException {
        sections.blocks().row(List.copyOf(cells));
        cells.clear();
        take(Destination.LIST_MARK);
    }

    private void paragraph() throws IOException {
        if (!cells.isEmpty()) {
            row();
        }
        String text = take(Destination.BODY).strip();
        String mark = take(Destination.LIST_MARK).strip();
        if (text.isEmpty()) {
            return;
        }
        if (outline > 0) {
            sections.heading(outline, mark.isEmpty() ? text : mark + " " + text);
        } else if (mark.isEmpty()) {
            sections.blocks().paragraph(text);
        } else {
            boolean isNumber = Character.isLetterOrDigit(mark.codePointAt(0));
            sections.blocks().item(0, isNumber ? mark : "-", text);
        }
    }

    private StringBuilder body() {
        return texts.computeIfAbsent(Destination.BODY, _ -> new StringBuilder());
    }

    private String take(Destination destination) {
        StringBuilder text = texts.remove(destination);
        return text == null ? "" : text.toString();
    }
}
