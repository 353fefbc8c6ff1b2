package dev.satchel.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchTokenizerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Zürich ZURICH zu\u0308rich | zurich zurich zurich
                    Straße STRASSE             | strasse strasse
                    Ærø Łódź naïve             | aero lodz naive
                    Ὀδυσσεύς ΟΔΥΣΣΕΥΣ          | οδυσσευσ οδυσσευσ
                    foo_bar a.b.c x-1          | foo bar a b c x 1
                    3.14 1,000 v25             | 3 14 1 000 v25
                    ＡＢＣ ﬁne                  | abc fine
                    中文                        | 中文 文
                    日本語テスト                 | 日本 本語 語テ テス スト ト
                    한국어 말                    | 한국 국어 어 말
                    ok👍🏽 done 👩‍💻             | ok 👍 done 👩 💻
                    हिन्दी                      | हिन्दी
                    """)
    void wordsAreFolded(String text, String expected) {
        assertThat(words(text)).isEqualTo(List.of(expected.strip().split(" ")));
    }

    @Test
    void aWordIsFoundWhereItIsInTheText() {
        String text = "Die Straße nach 東京都, ok";

        for (SearchToken token : SearchTokenizer.tokens(text)) {
            String source = text.substring(token.start(), token.end());
            assertThat(words(source)).startsWith(token.text());
        }
    }

    @Test
    void aWordHasNoCharacterOfAQueryLanguage() {
        StringBuilder all = new StringBuilder();
        for (int point = 1; point <= Character.MAX_CODE_POINT; point++) {
            all.appendCodePoint(point).append(point % 7 == 0 ? " " : "");
        }

        assertThat(SearchTokenizer.tokens(all.toString()))
                .allSatisfy(
                        token -> {
                            assertThat(token.text()).isNotEmpty().hasSizeLessThanOrEqualTo(64);
                            assertThat(token.text().chars())
                                    .noneMatch(c -> c <= ' ' || "'\"\\§:*&|!()<>".indexOf(c) >= 0);
                        });
    }

    @Test
    void aLongWordIsFoundByItsBeginning() {
        String word = "x".repeat(5_000);

        assertThat(words(word)).isEqualTo(words(word + "y")).hasSize(1);
    }

    private static List<String> words(String text) {
        return SearchTokenizer.tokens(text).stream().map(SearchToken::text).toList();
    }
}
