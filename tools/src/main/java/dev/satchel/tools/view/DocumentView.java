package dev.satchel.tools.view;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.protocol.Json;
import dev.satchel.tools.ImageLoader;
import dev.satchel.tools.ImageView;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTextReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Shows the text of a document, or one of its pages as a picture. */
final class DocumentView {
    private static final int TRIES = 4;

    private final DocumentTextReader documents;
    private final ImageLoader.Limits pictures;

    DocumentView(DocumentTextReader documents, ImageLoader.Limits pictures) {
        this.documents = documents;
        this.pictures = pictures;
    }

    ToolResult show(
            PathArgument path, OpenFile file, DocumentFormat format, DocumentViewRequest request)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (request.render()) {
            return picture(path, file, format, request.selection().firstPage());
        }
        String name = path.path().name();
        DocumentSelection selection = request.selection();
        boolean needsCells = selection.range() != null;
        if (!needsCells) {
            DocumentExcerpt whole = read(name, file, DocumentSelection.ALL, request);
            if (selection.isAll() || whole.isFound() || !whole.isCut()) {
                return ToolResult.success(whole.text());
            }
        }
        return ToolResult.success(read(name, file, selection, request).text());
    }

    /**
     * Empty when OCR finds none; a reason when it fails, since the picture is shown all the same.
     */
    String textOfPicture(String name, OpenFile file, DocumentViewRequest request)
            throws IOException, InterruptedException {
        try {
            DocumentExcerpt text = read(name, file, DocumentSelection.ALL, request);
            return text.isBlank() ? "" : text.text();
        } catch (InvalidArgumentException e) {
            return "(The text in the picture was not read. " + e.getMessage() + ")";
        }
    }

    /** What is after the limit of the whole document is read on its own. */
    private DocumentExcerpt read(
            String name, OpenFile file, DocumentSelection read, DocumentViewRequest request)
            throws IOException, InterruptedException, InvalidArgumentException {
        DocumentExcerpt text = new DocumentExcerpt(request);
        try (DocumentLines lines = documents.read(name, file, read)) {
            for (Optional<DocumentLine> line = lines.next();
                    line.isPresent() && !text.isFull();
                    line = lines.next()) {
                switch (line.get()) {
                    case DocumentLine.Header header -> text.header(header);
                    case DocumentLine.Part(var part) -> text.part(part);
                    case DocumentLine.Cut(String message) -> text.cut(message);
                    case Failure failure -> {
                        if (!text.hasParts()) {
                            throw DocumentTextReader.problem(name, failure.message());
                        }
                        text.cut("The rest was not read. " + failure.message());
                    }
                    case DocumentLine.End _, DocumentLine.Picture _ -> {}
                }
            }
        }
        return text;
    }

    private ToolResult picture(PathArgument path, OpenFile file, DocumentFormat format, int page)
            throws IOException, InterruptedException, InvalidArgumentException {
        String name = path.path().name();
        if (!format.hasPages()) {
            throw DocumentTextReader.problem(name, "Only pages of a PDF can be shown as pictures.");
        }
        int side = Math.min(pictures.wantedSide(), pictures.maxSide());
        for (int tries = 0; tries < TRIES; tries++, side /= 2) {
            DocumentLine.Picture picture = documents.render(name, file, page, side);
            if (picture.data().length() / 4 * 3 <= pictures.maxBytes()) {
                ObjectNode detail = Json.MAPPER.createObjectNode();
                detail.put("path", path.given()).put("page", page);
                detail.put("mimeType", picture.mimeType());
                return new ToolResult(
                        true,
                        "Page " + page + " of " + name + " as a picture.",
                        detail,
                        List.of(new ToolResult.Image(picture.mimeType(), picture.data())));
            }
        }
        throw DocumentTextReader.problem(
                name,
                "The picture of page %d has more than %s."
                        .formatted(page, ImageView.size(pictures.maxBytes())));
    }
}
