package dev.satchel.documents.pdf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * One font for all that a PDF does not bring along. PDFBox would look through the fonts of the
 * machine, which takes seconds and reads files that are none of its business.
 */
final class BundledFonts implements FontMapper {
    private static final String FONT =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

    private @Nullable TrueTypeFont font;

    @Override
    public FontMapping<TrueTypeFont> getTrueTypeFont(
            String baseFont, @Nullable PDFontDescriptor descriptor) {
        return new FontMapping<>(font(), true);
    }

    @Override
    public FontMapping<FontBoxFont> getFontBoxFont(
            String baseFont, @Nullable PDFontDescriptor descriptor) {
        return new FontMapping<>(font(), true);
    }

    @Override
    public CIDFontMapping getCIDFont(
            String baseFont,
            @Nullable PDFontDescriptor descriptor,
            @Nullable PDCIDSystemInfo system) {
        return new CIDFontMapping(null, font(), true);
    }

    private TrueTypeFont font() {
        if (font == null) {
            try (InputStream in = PDFont.class.getResourceAsStream(FONT)) {
                if (in == null) {
                    throw new IllegalStateException("missing from PDFBox: " + FONT);
                }
                font = new TTFParser().parse(new RandomAccessReadBuffer(in.readAllBytes()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return font;
    }
}
