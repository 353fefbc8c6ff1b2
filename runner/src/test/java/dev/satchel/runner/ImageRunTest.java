package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.runner.image.TestImages;
import dev.satchel.runner.model.ModelWireFormat;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What providers get of the images of a run, whose sandbox is real. */
class ImageRunTest extends ModelRunFixture {
    private static final int ANTHROPIC_BYTES = 5 * 1024 * 1024 / 4 * 3;
    private static final ModelWireFormat ANTHROPIC = new ModelWireFormat.Anthropic();
    private static final ModelWireFormat OPENAI = new ModelWireFormat.OpenAi();

    private List<SandboxLine> lines = List.of();

    /** An image as it arrived. */
    private record Arrived(String mimeType, String base64) {
        byte[] bytes() {
            return Base64.getDecoder().decode(base64);
        }

        BufferedImage decoded() throws IOException {
            return TestImages.decoded(base64);
        }

        List<Integer> size() throws IOException {
            return List.of(decoded().getWidth(), decoded().getHeight());
        }
    }

    static List<ModelWireFormat> wires() {
        return List.of(ANTHROPIC, OPENAI);
    }

    private List<Arrived> send(ModelWireFormat wire) throws Exception {
        use(wire, "key");
        provider.thenStream(wire.text("I see."));
        lines = run("look");
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
        return arrived(wire);
    }

    /** The images of the last request. */
    private List<Arrived> arrived(ModelWireFormat wire) {
        String pattern =
                wire.equals(ANTHROPIC)
                        ? "\"media_type\":\"(image/[a-z]+)\",\"data\":\"([^\"]*)\""
                        : "data:(image/[a-z]+);base64,([^\"]*)\",\"detail\":\"auto\"";
        Matcher matcher = Pattern.compile(pattern).matcher(lastRequest());
        List<Arrived> images = new ArrayList<>();
        while (matcher.find()) {
            images.add(new Arrived(matcher.group(1), matcher.group(2)));
        }
        return images;
    }

    private String lastRequest() {
        return provider.asked().getLast().body().path("messages").toString();
    }

    private List<String> failedSteps() {
        return lines.stream()
                .filter(line -> line instanceof StepEnded ended && ended.error() != null)
                .map(line -> ((StepEnded) line).error())
                .toList();
    }

    private static String colour(BufferedImage image, double x, double y) {
        int rgb = image.getRGB((int) (x * image.getWidth()), (int) (y * image.getHeight()));
        return new Color(rgb).getRed() > 128 ? "red" : "blue";
    }

    @ParameterizedTest
    @MethodSource("wires")
    void smallImageArrivesByteForByte(ModelWireFormat wire) throws Exception {
        byte[] png = TestImages.halves("png", 30, 20);
        byte[] jpeg = TestImages.turned(TestImages.halves("jpeg", 30, 20), 6);
        byte[] webp = "RIFF____WEBPVP8L\5\0\0\0/\11\0\1\0".getBytes(StandardCharsets.ISO_8859_1);
        satchel.images.putAll(Map.of("a.png", png, "b.jpeg", jpeg, "c.webp", webp));
        assertThat(send(wire).stream().map(Arrived::bytes))
                .containsExactlyInAnyOrder(png, jpeg, webp);
        assertThat(lastRequest()).contains("Shown as an image.]");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void largeImagesAreScaledToTheSideThatTheProviderWants(ModelWireFormat wire) throws Exception {
        satchel.images.put("a.png", TestImages.halves("png", 6_000, 3_000));
        satchel.images.put("b.jpeg", TestImages.halves("jpeg", 2_500, 5_000));
        satchel.images.put("c.gif", TestImages.halves("gif", 2_500, 2_500));
        int side = wire.equals(ANTHROPIC) ? 1_568 : 2_048;
        List<Arrived> images = send(wire);
        assertThat(images)
                .extracting(Arrived::mimeType)
                .containsExactly("image/png", "image/jpeg", "image/png");
        assertThat(images.get(0).size()).containsExactly(side, side / 2);
        assertThat(images.get(1).size()).containsExactly(side / 2, side);
        assertThat(images.get(2).size()).containsExactly(side, side);
        for (Arrived image : images) {
            assertThat(colour(image.decoded(), 0.2, 0.5)).isEqualTo("red");
            assertThat(colour(image.decoded(), 0.8, 0.5)).isEqualTo("blue");
        }
        assertThat(lastRequest())
                .contains("%d × %d pixels instead of 6000 × 3000".formatted(side, side / 2));
        assertThat(failedSteps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void imageOfTooManyBytesIsMadeSmallerAndKeepsItsAlpha(boolean alpha) throws Exception {
        satchel.images.put("noise.png", TestImages.noise(1_500, 1_500, alpha));
        assertThat(satchel.images.get("noise.png").length).isGreaterThan(ANTHROPIC_BYTES);
        Arrived image = send(ANTHROPIC).getFirst();
        assertThat(image.bytes().length).isLessThanOrEqualTo(ANTHROPIC_BYTES);
        assertThat(image.decoded().getColorModel().hasAlpha()).isEqualTo(alpha);
        assertThat(image.mimeType()).isEqualTo(alpha ? "image/png" : "image/jpeg");
        assertThat(image.decoded().getWidth()).isGreaterThan(500);
    }

    /** Stored turned by 90 degrees: the left half is the upper half of the picture. */
    @Test
    void photoStandsUpright() throws Exception {
        byte[] photo = TestImages.turned(TestImages.halves("jpeg", 4_000, 2_000), 6);
        satchel.images.put("photo.jpeg", photo);
        Arrived image = send(ANTHROPIC).getFirst();
        assertThat(image.size()).containsExactly(784, 1_568);
        assertThat(colour(image.decoded(), 0.5, 0.2)).isEqualTo("red");
        assertThat(colour(image.decoded(), 0.5, 0.8)).isEqualTo("blue");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void bombAndBrokenFilesAreLeftOutAndNamed(ModelWireFormat wire) throws Exception {
        satchel.images.put("bomb.png", TestImages.headerOnly(60_000, 60_000, 1_000));
        satchel.images.put("broken.png", TestImages.headerOnly(9_000, 9_000, 16_000_000));
        satchel.images.put("empty.png", new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        satchel.images.put("good.png", TestImages.halves("png", 30, 20));
        assertThat(send(wire)).hasSize(1);
        assertThat(failedSteps())
                .satisfiesExactly(
                        bomb ->
                                assertThat(bomb)
                                        .contains("bomb.png", "60000 × 60000", "100 million"),
                        broken -> assertThat(broken).contains("broken.png", "damaged"),
                        empty -> assertThat(empty).contains("empty.png", "damaged"));
        assertThat(lastRequest()).contains(failedSteps());
    }

    @Test
    void pixelsAreASetting() throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1,localhost",
                                "SATCHEL_IMAGE_MEGAPIXELS", "1")));
        satchel.images.put("a.png", TestImages.headerOnly(1_001, 1_000, 1_000));
        assertThat(send(ANTHROPIC)).isEmpty();
        assertThat(failedSteps()).singleElement().asString().contains("at most 1 million");
    }

    /** ImageIO does not read WebP; the provider can scale one that it takes. */
    @Test
    void webpIsSentAsItIsIfTheProviderTakesIt() throws Exception {
        byte[] wide =
                "RIFF____WEBPVP8X\12\0\0\0\0\0\0\0\17\47\0\1\0\0"
                        .getBytes(StandardCharsets.ISO_8859_1);
        satchel.images.put("wide.webp", wide); // 10,000 pixels
        assertThat(send(OPENAI).getFirst().bytes()).isEqualTo(wide);
        assertThat(send(ANTHROPIC)).isEmpty();
        assertThat(failedSteps().getFirst())
                .contains("wide.webp", "10000 × 2 pixels", "8000 pixels", "WebP");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void viewScalesToo(ModelWireFormat wire) throws Exception {
        satchel.earlierImages.put("a.png", TestImages.halves("png", 6_000, 3_000));
        satchel.earlierImages.put("bomb.png", TestImages.headerOnly(60_000, 60_000, 1_000));
        use(wire, "key");
        provider.thenStream(wire.toolCall("", "c1", "view", "{\"path\":\"a.png\"}"));
        provider.thenStream(wire.toolCall("", "c2", "view", "{\"path\":\"bomb.png\"}"));
        provider.thenStream(wire.text("I see."));
        lines = run("look");
        List<Arrived> images = arrived(wire);
        assertThat(images).hasSize(1);
        assertThat(images.getFirst().decoded().getWidth())
                .isEqualTo(wire.equals(ANTHROPIC) ? 1_568 : 2_048);
        assertThat(failedSteps()).singleElement().asString().contains("60000 × 60000");
        assertThat(lastRequest()).contains("60000 × 60000", "It is shown smaller");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void imagesOfEarlierTurnsAreScaledEqually(ModelWireFormat wire) throws Exception {
        byte[] large = TestImages.halves("png", 6_000, 3_000);
        satchel.images.put("a.png", large);
        byte[] first = send(wire).getFirst().bytes();
        satchel.images.clear();
        satchel.earlierImages.put("a.png", large);
        satchel.conversation =
                List.of(
                        new ChatTurn(
                                "user",
                                "look",
                                1,
                                List.of(
                                        new ChatTurn.Attachment(
                                                "a.png",
                                                "image/png",
                                                large.length,
                                                "hash of a.png")),
                                List.of()),
                        new ChatTurn("assistant", "I see.", 2));
        assertThat(send(wire).getFirst().bytes()).isEqualTo(first);
    }
}
