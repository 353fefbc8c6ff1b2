package dev.satchel.runner.image;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * The program that scales one image down. It decodes bytes of strangers, so it runs as a process of
 * the sandbox, never in the runner, and uses no other class of the runner. Its arguments are the
 * file, the longest side, the most bytes and the most pixels. It prints the type, the width, the
 * height and the image in base64; when it fails, a sentence to the standard error.
 */
final class ImageScaler {
    static final String NO_MEMORY = "it needs too much memory";
    static final String DAMAGED = "the file is damaged or of a kind that cannot be decoded";

    /** What it may print to the standard error. */
    static final List<String> REASONS = List.of(NO_MEMORY, DAMAGED);

    /** Larger images are thinned out while they are read, so that memory is bounded. */
    private static final long PIXELS_IN_MEMORY = 16_000_000;

    private static final float JPEG_QUALITY = 0.85f;
    private static final int EXIF_ORIENTATION = 0x0112;
    private static final int SMALLEST_SIDE = 64;

    private final int maxSide;
    private final int maxBytes;
    private final long maxPixels;

    private ImageScaler(int maxSide, int maxBytes, long maxPixels) {
        this.maxSide = maxSide;
        this.maxBytes = maxBytes;
        this.maxPixels = maxPixels;
    }

    @SuppressWarnings("SystemOut") // the output is the result
    public static void main(String[] arguments) {
        PrintStream problems = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        try {
            ImageScaler scaler =
                    new ImageScaler(
                            Integer.parseInt(arguments[1]),
                            Integer.parseInt(arguments[2]),
                            Long.parseLong(arguments[3]));
            System.out.print(scaler.scale(new File(arguments[0])));
            System.out.flush();
        } catch (OutOfMemoryError _) {
            problems.print(NO_MEMORY);
            System.exit(1);
        } catch (IOException | RuntimeException _) {
            problems.print(DAMAGED);
            System.exit(1);
        }
    }

    private String scale(File file) throws IOException {
        ImageIO.setUseCache(false);
        int orientation = 1;
        boolean isJpeg;
        BufferedImage image;
        try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new IOException("unknown format");
            }
            ImageReader reader = readers.next();
            reader.setInput(in, true, true);
            isJpeg = reader.getFormatName().equalsIgnoreCase("JPEG");
            image = read(reader);
        }
        if (isJpeg) {
            orientation = orientation(file);
        }
        return encode(upright(image, orientation), isJpeg);
    }

    private BufferedImage read(ImageReader reader) throws IOException {
        long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
        if (pixels > maxPixels) {
            throw new IOException("too many pixels");
        }
        int side = Math.max(reader.getWidth(0), reader.getHeight(0));
        ImageReadParam parameters = reader.getDefaultReadParam();
        if (pixels > PIXELS_IN_MEMORY) {
            int step = Math.max(1, side / (2 * maxSide));
            parameters.setSourceSubsampling(step, step, 0, 0);
        }
        BufferedImage image = reader.read(0, parameters);
        double factor =
                Math.min(1, (double) maxSide / Math.max(image.getWidth(), image.getHeight()));
        return resized(image, factor);
    }

    /** Halves the image until one more step is left: bilinear sampling would skip pixels. */
    private static BufferedImage resized(BufferedImage image, double factor) {
        int width = Math.max(1, (int) Math.round(image.getWidth() * factor));
        int height = Math.max(1, (int) Math.round(image.getHeight() * factor));
        BufferedImage present = image;
        while (present.getWidth() > 2 * width && present.getHeight() > 2 * height) {
            present = drawn(present, present.getWidth() / 2, present.getHeight() / 2);
        }
        return drawn(present, width, height);
    }

    private static BufferedImage drawn(BufferedImage image, int width, int height) {
        BufferedImage copy = new BufferedImage(width, height, type(image));
        Graphics2D graphics = copy.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, null);
        graphics.dispose();
        return copy;
    }

    private static int type(BufferedImage image) {
        return image.getColorModel().hasAlpha()
                ? BufferedImage.TYPE_INT_ARGB
                : BufferedImage.TYPE_INT_RGB;
    }

    /** Turns and mirrors the image as its camera said, because the result has no such note. */
    private static BufferedImage upright(BufferedImage image, int orientation) {
        int w = image.getWidth();
        int h = image.getHeight();
        AffineTransform turn =
                switch (orientation) {
                    case 2 -> new AffineTransform(-1, 0, 0, 1, w, 0);
                    case 3 -> new AffineTransform(-1, 0, 0, -1, w, h);
                    case 4 -> new AffineTransform(1, 0, 0, -1, 0, h);
                    case 5 -> new AffineTransform(0, 1, 1, 0, 0, 0);
                    case 6 -> new AffineTransform(0, 1, -1, 0, h, 0);
                    case 7 -> new AffineTransform(0, -1, -1, 0, h, w);
                    case 8 -> new AffineTransform(0, -1, 1, 0, 0, w);
                    default -> new AffineTransform();
                };
        if (turn.isIdentity()) {
            return image;
        }
        boolean isSwapped = orientation >= 5;
        BufferedImage turned = new BufferedImage(isSwapped ? h : w, isSwapped ? w : h, type(image));
        Graphics2D graphics = turned.createGraphics();
        graphics.drawImage(image, turn, null);
        graphics.dispose();
        return turned;
    }

    /** A photo stays a JPEG. Others become a PNG; if that is too large, a JPEG or smaller. */
    private String encode(BufferedImage scaled, boolean isJpeg) throws IOException {
        BufferedImage image = scaled;
        while (true) {
            if (!isJpeg) {
                byte[] png = written(image, "png");
                if (png.length <= maxBytes) {
                    return line("image/png", image, png);
                }
            }
            if (!image.getColorModel().hasAlpha()) {
                byte[] jpeg = written(image, "jpeg");
                if (jpeg.length <= maxBytes) {
                    return line("image/jpeg", image, jpeg);
                }
            }
            if (Math.max(image.getWidth(), image.getHeight()) < SMALLEST_SIDE) {
                throw new IOException("does not fit");
            }
            image = resized(image, 0.75);
        }
    }

    private static String line(String mimeType, BufferedImage image, byte[] bytes) {
        return mimeType
                + " "
                + image.getWidth()
                + " "
                + image.getHeight()
                + " "
                + Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] written(BufferedImage image, String format) throws IOException {
        ImageWriter writer =
                ImageIO.getImageWriters(ImageTypeSpecifier.createFromRenderedImage(image), format)
                        .next();
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        if (format.equals("jpeg")) {
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(JPEG_QUALITY);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), parameters);
        }
        writer.dispose();
        return bytes.toByteArray();
    }

    /** The orientation of a JPEG by its Exif segment; 1 when it has none. */
    private static int orientation(File file) throws IOException {
        try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
            in.skipNBytes(2);
            while (in.readUnsignedByte() == 0xff) {
                int marker = in.readUnsignedByte();
                int length = in.readUnsignedShort() - 2;
                if (marker == 0xda || length < 0) {
                    return 1;
                }
                byte[] segment = in.readNBytes(length);
                if (marker == 0xe1 && startsWith(segment, "Exif\0\0")) {
                    return exifOrientation(Arrays.copyOfRange(segment, 6, segment.length));
                }
            }
            return 1;
        } catch (IOException | IndexOutOfBoundsException _) {
            return 1; // the image itself is readable
        }
    }

    private static boolean startsWith(byte[] bytes, String text) {
        byte[] start = text.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.length >= start.length
                && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    private static int exifOrientation(byte[] tiff) {
        ByteBuffer buffer = ByteBuffer.wrap(tiff);
        buffer.order(tiff[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int directory = buffer.getInt(4);
        int entries = buffer.getShort(directory) & 0xffff;
        for (int i = 0; i < entries; i++) {
            int entry = directory + 2 + 12 * i;
            if ((buffer.getShort(entry) & 0xffff) == EXIF_ORIENTATION) {
                return buffer.getShort(entry + 8) & 0xffff;
            }
        }
        return 1;
    }
}
