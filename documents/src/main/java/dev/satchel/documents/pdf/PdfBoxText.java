package dev.satchel.documents.pdf;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/** The text of one page after the other by PDFBox. Wide gaps in a line separate columns. */
final class PdfBoxText extends PDFTextStripper {
    private static final float WIDE_GAP_SPACES = 4;

    private float lineEnd = Float.NaN;
    private boolean isSeparatorDue;

    PdfBoxText() {
        // pages are given one by one, and the counter of the stripper stays at 0
        setStartPage(0);
    }

    String page(PDDocument source, PDPage page) throws IOException {
        document = source;
        StringWriter writer = new StringWriter();
        output = writer;
        lineEnd = Float.NaN;
        isSeparatorDue = false;
        if (page.hasContents()) {
            processPage(page);
        }
        return writer.toString().strip();
    }

    @Override
    protected void writeString(String text, List<TextPosition> positions) throws IOException {
        TextPosition first = positions.isEmpty() ? null : positions.getFirst();
        TextPosition last = positions.isEmpty() ? null : positions.getLast();
        if (isSeparatorDue) {
            float gap = first == null ? 0 : first.getXDirAdj() - lineEnd;
            boolean isWide = first != null && gap > WIDE_GAP_SPACES * first.getWidthOfSpace();
            output.write(isWide ? " | " : getWordSeparator());
            isSeparatorDue = false;
        }
        lineEnd = last == null ? Float.NaN : last.getXDirAdj() + last.getWidthDirAdj();
        super.writeString(text, positions);
    }

    @Override
    protected void writeWordSeparator() {
        isSeparatorDue = true;
    }

    @Override
    protected void writeLineSeparator() throws IOException {
        isSeparatorDue = false;
        lineEnd = Float.NaN;
        super.writeLineSeparator();
    }
}
