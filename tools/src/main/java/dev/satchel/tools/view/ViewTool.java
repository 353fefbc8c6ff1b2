package dev.satchel.tools.view;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.tools.CheckedTool;
import dev.satchel.tools.FileType;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.ImageView;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.LineReader;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.document.SearchedDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Shows a text file by numbered lines, a directory by its entries, an image as an image, and a
 * document by its text.
 */
public final class ViewTool extends CheckedTool<ViewTool.Context> {
    /** The files, and how images and documents among them are read. */
    public record Context(
            ReadableDirectory files, ImageLoader images, DocumentTextReader documents) {}

    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "path": {"type": "string",
                 "description": "Relative to the workspace, or absolute under /root/workspace"},
               "view_range": {"type": "array", "items": {"type": "integer"},
                 "minItems": 2, "maxItems": 2,
                 "description": "First and last line, counted from 1; -1 as the last is the end"},
               "forceReadLargeFiles": {"type": "boolean",
                 "description": "Show up to 200 KB at once instead of 20 KB"},
               "pages": {"type": "string",
                 "description": "Of a document: pages, slides or chapters like 3, 3-7 or 3-"},
               "sheet": {"type": "string", "description": "Of a workbook: the name of a sheet"},
               "range": {"type": "string", "description": "Of a sheet: cells like A1:F200"},
               "render": {"type": "boolean",
                 "description": "Show one page of a PDF as a picture"},
               "raw": {"type": "boolean",
                 "description": "Show the source of an HTML, RTF, e-mail or notebook file"}},
             "required": ["path"]}
            """;

    private final LineIndexCache indexes = new LineIndexCache();

    public ViewTool() {
        super(
                new ToolDescription(
                        "view",
                        List.of("read_file"),
                        "Shows a file with line numbers, the entries of a directory two levels"
                                + " deep, an image, or the text of a document (PDF, Office,"
                                + " OpenDocument, EPUB, RTF, HTML, e-mail, notebook; of an archive"
                                + " the list). Long ones are cut; ask for the rest with view_range,"
                                + " pages or sheet.",
                        SCHEMA));
    }

    @Override
    protected ToolResult run(ToolArguments arguments, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        PathArgument path = PathArgument.parseReadable(arguments.string("path", "file_path"));
        DocumentViewRequest request = DocumentViewRequest.of(arguments);
        return onPath(path, () -> show(path, request, context));
    }

    private ToolResult show(PathArgument path, DocumentViewRequest request, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        ReadableDirectory files = path.in(context.files());
        try (OpenFile file = files.open(path.path())) {
            TextFile text = TextFile.of(file);
            Optional<DocumentFormat> document = document(path, text, request, context.documents());
            if (document.isPresent()) {
                return new DocumentView(context.documents(), context.images().limits())
                        .show(path, file, document.get(), request);
            }
            return switch (text.type().kind()) {
                case TEXT -> ToolResult.success(lines(path.path(), text, request.lines()));
                case IMAGE -> image(path, text, request, context);
                case BINARY -> throw ImageView.binary(path, file, text.type());
            };
        } catch (IrregularFileException e) {
            if (e.kind() != FileStat.Kind.DIRECTORY) {
                throw e;
            }
            return ToolResult.success(DirectoryView.of(files, path.path()));
        }
    }

    /** Empty for what is shown as it is: a text file also where documents cannot be read. */
    private static Optional<DocumentFormat> document(
            PathArgument path,
            TextFile text,
            DocumentViewRequest request,
            DocumentTextReader documents)
            throws IOException {
        boolean isAsItIs =
                text.type().kind() == FileType.Kind.IMAGE
                        || (text.isText() && (request.raw() || !documents.unavailable().isEmpty()));
        if (isAsItIs) {
            return Optional.empty();
        }
        byte[] head = TextFile.head(text.file(), DocumentFormat.HEAD_BYTES);
        Optional<DocumentFormat> format = DocumentFormat.detect(path.path().name(), head);
        return format.isPresent() ? format : SearchedDocuments.picture(text, head, documents);
    }

    /** An image, and below it the text in it where that is read. */
    private static ToolResult image(
            PathArgument path, TextFile text, DocumentViewRequest request, Context context)
            throws IOException, InterruptedException, InvalidArgumentException {
        ToolResult image = ImageView.show(path, text.file(), text.type(), context.images());
        if (!context.documents().readsPictures()) {
            return image;
        }
        String below =
                new DocumentView(context.documents(), context.images().limits())
                        .textOfPicture(path.path().name(), text.file(), request);
        return below.isEmpty()
                ? image
                : new ToolResult(
                        true, image.text() + "\n\n" + below, image.detail(), image.images());
    }

    private String lines(WorkspacePath path, TextFile text, ViewRange range)
            throws IOException, InvalidArgumentException {
        LineIndex index = indexes.get(path, text);
        if (index.lines() == 0) {
            return "(empty file)";
        }
        if (range.first() > index.lines()) {
            throw new InvalidArgumentException(
                    "view_range start %d is past the end of the file (%d lines)"
                            .formatted(range.first(), index.lines()));
        }
        LineIndex.Start start = index.startOf(range.first());
        InputStream bytes = text.from(start.offset());
        LineReader reader = new LineReader(bytes);
        reader.skip(start.skip());
        return range.print(reader, index.lines());
    }

    /** The entries of a directory that are not hidden, two levels deep. */
    static final class DirectoryView {
        private static final int MAX_CHARACTERS = 20 * 1024;

        private DirectoryView() {}

        static String of(ReadableDirectory workspace, WorkspacePath start) throws IOException {
            StringBuilder out = new StringBuilder();
            int skip = start.isRoot() ? 0 : start.value().length() + 1;
            WorkspaceWalk walk = workspace.walk(start);
            for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
                String shown = e.path().value().substring(skip);
                if (e.path().name().startsWith(".")) {
                    walk.skip();
                    continue;
                }
                if (shown.indexOf('/') >= 0) {
                    walk.skip();
                }
                if (out.length() + shown.length() > MAX_CHARACTERS) {
                    return out + "(More entries are not shown. View a directory further down.)";
                }
                out.append(shown).append(e.stat().isDirectory() ? "/\n" : "\n");
            }
            return out.isEmpty() ? "(empty directory)" : out.substring(0, out.length() - 1);
        }
    }
}
