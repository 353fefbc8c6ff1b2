package dev.satchel.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The part of a text that a hit shows. */
class SearchSnippetTest {
    @Test
    void allMatchesOfTheShownPartAreMarkedAndNoneBehindIt() {
        String text = "heron one heron " + "filler ".repeat(40) + "heron";

        SearchSnippet snippet = SearchSnippet.of(text, SearchQuery.parse("q", "heron "));

        assertThat(snippet.text()).hasSize(240).startsWith("heron one heron filler");
        assertThat(snippet.matches())
                .containsExactly(new SearchSnippet.Match(0, 5), new SearchSnippet.Match(10, 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"the last okapi", "中文字"})
    void theMatchAtTheEndOfALongTextIsFound(String last) {
        String text = "filler 日本語 ".repeat(9_000) + last;

        SearchSnippet snippet = SearchSnippet.of(text, SearchQuery.parse("q", '"' + last + '"'));

        assertThat(snippet.text()).endsWith(last);
        SearchSnippet.Match match = snippet.matches().getFirst();
        assertThat(snippet.text().substring(match.start(), match.start() + match.length()))
                .isEqualTo(last);
    }

    @Test
    void aTextWithoutTheWordIsShownFromItsBeginning() {
        SearchSnippet snippet =
                SearchSnippet.of(
                        "only the name of the file has it", SearchQuery.parse("q", "absent"));

        assertThat(snippet.text()).startsWith("only the name");
        assertThat(snippet.matches()).isEmpty();
    }
}
