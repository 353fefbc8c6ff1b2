package dev.satchel.documents.office;

import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import java.io.IOException;

/** The other parts of a docx that its text refers to. */
record WordContext(
        WordStyles styles,
        WordNumbering numbering,
        WordNotes footnotes,
        WordNotes endnotes,
        WordNotes comments,
        Drawing.Context drawings) {

    static WordContext read(DocumentZip zip, Relationships related, EmbeddedPictures pictures)
            throws IOException {
        return new WordContext(
                WordStyles.read(zip, related.firstPart("styles")),
                WordNumbering.read(zip, related.firstPart("numbering")),
                WordNotes.read(zip, related.firstPart("footnotes"), "footnote"),
                WordNotes.read(zip, related.firstPart("endnotes"), "endnote"),
                WordNotes.read(zip, related.firstPart("comments"), "comment"),
                new Drawing.Context(zip, related, pictures));
    }
}
