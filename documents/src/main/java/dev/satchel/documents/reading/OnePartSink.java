package dev.satchel.documents.reading;

import java.io.IOException;

/** Text that stays in the open part. Footnotes stand in the text, in parentheses. */
public record OnePartSink(TextBlocks blocks) implements TextSink {
    @Override
    public void heading(int level, String text) throws IOException {
        blocks.heading(level, text);
    }

    @Override
    public String footnote(String text) {
        return text.isBlank() ? "" : " (" + text.strip() + ")";
    }
}
