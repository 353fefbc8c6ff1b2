package dev.satchel.runner.image;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import javax.imageio.ImageIO;

/** Images for tests. */
public final class TestImages {
    private TestImages() {}

    /** The left half is red, the right half blue. */
    public static byte[] halves(String format, int width, int height) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(width / 2, 0, width - width / 2, height);
        graphics.dispose();
        return encoded(image, format);
    }

    /** A PNG of random pixels, which cannot be compressed. */
    public static byte[] noise(int width, int height, boolean alpha) throws IOException {
        int type = alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
        BufferedImage image = new BufferedImage(width, height, type);
        image.setRGB(
                0, 0, width, height, new Random(1).ints((long) width * height).toArray(), 0, width);
        return encoded(image, "png");
    }

    /** A PNG that consists of its header; the rest is zero. */
    public static byte[] headerOnly(int width, int height, int bytes) {
        return ByteBuffer.allocate(bytes)
                .put("\u0089PNG\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(13)
                .put("IHDR".getBytes(StandardCharsets.ISO_8859_1))
                .putInt(width)
                .putInt(height)
                .put(new byte[] {8, 2, 0, 0, 0})
                .array();
    }

    /** A JPEG whose camera was turned. */
    public static byte[] turned(byte[] jpeg, int orientation) {
        byte[] exif =
                ByteBuffer.allocate(36)
                        .put(new byte[] {(byte) 0xff, (byte) 0xe1, 0, 34})
                        .put("Exif\0\0MM\0*".getBytes(StandardCharsets.ISO_8859_1))
                        .putInt(8)
                        .putShort((short) 1)
                        .putShort((short) 0x0112)
                        .putShort((short) 3)
                        .putInt(1)
                        .putShort((short) orientation)
                        .putShort((short) 0)
                        .putInt(0)
                        .array();
        return ByteBuffer.allocate(jpeg.length + exif.length)
                .put(jpeg, 0, 2)
                .put(exif)
                .put(jpeg, 2, jpeg.length - 2)
                .array();
    }

    public static BufferedImage decoded(String base64) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
    }

    private static byte[] encoded(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!ImageIO.write(image, format, bytes)) {
            throw new IOException("cannot write " + format);
        }
        return bytes.toByteArray();
    }
}
