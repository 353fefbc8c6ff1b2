package dev.satchel.bench.stream;

import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.process.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A runner in its own process that only writes lines with the time when they were written. Only the
 * streams of one path are active; standard input selects it.
 */
final class LineSourceProcess {
    static final int LINES_PER_SECOND = 1;
    private static final String READY = "Lines come from port ";
    private static final int BACKLOG = 4_096;
    private static final Pattern REQUEST =
            Pattern.compile("POST (\\S+) .*?content-length: *(\\d+)\r\n.*", Pattern.DOTALL);
    private static final byte[] HEAD =
            ("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private final PacedLineWriter pacer;

    private LineSourceProcess(PacedLineWriter pacer) {
        this.pacer = pacer;
    }

    /** Starts it as a process that writes a short line a second; it prints its port. */
    static ChildProcess start(BenchmarkEnvironment place) throws IOException {
        return start(place, LINES_PER_SECOND, 0);
    }

    /** Starts it as a process that writes lines of at least so many bytes. */
    static ChildProcess start(BenchmarkEnvironment place, int linesPerSecond, int lineBytes)
            throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LineSourceProcess.class.getName(),
                        Integer.toString(linesPerSecond),
                        Integer.toString(lineBytes));
        return ChildProcess.start(
                command, Map.of(), READY, place.fresh("source").resolve("source.log"));
    }

    public static void main(String[] arguments) throws IOException {
        PacedLineWriter pacer =
                new PacedLineWriter(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            listener.bind(new InetSocketAddress(loopback, 0), BACKLOG);
            System.out.println(READY + listener.socket().getLocalPort());
            Thread.ofPlatform().daemon().name("pacer").start(pacer::run);
            Thread.ofPlatform().name("orders").start(() -> obey(pacer));
            new LineSourceProcess(pacer).accept(listener);
        }
    }

    private void accept(ServerSocketChannel listener) throws IOException {
        while (true) {
            SocketChannel connection = listener.accept();
            Thread.ofVirtual().start(() -> welcome(connection));
        }
    }

    /** Ends when the parent process ends. */
    private static void obey(PacedLineWriter pacer) {
        try {
            StringBuilder order = new StringBuilder();
            for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                if (c == '\n') {
                    pacer.talkOn(order.toString());
                    order.setLength(0);
                } else {
                    order.append((char) c);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.exit(0);
    }

    private void welcome(SocketChannel connection) {
        try {
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            String path = readRequest(Channels.newInputStream(connection));
            connection.write(ByteBuffer.wrap(HEAD));
            pacer.add(path, connection);
        } catch (IOException e) {
            System.err.println("a request was not answered: " + e);
        }
    }

    /** Reads to the end of the body, so that nothing is left in the way; returns the path. */
    private static String readRequest(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = input.read();
            if (next < 0) {
                throw new IOException("the request broke off");
            }
            head.write(next);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        Matcher request = REQUEST.matcher(text.replace("Content-Length", "content-length"));
        if (!request.matches()) {
            throw new IOException("not a request with a body: " + text);
        }
        input.skipNBytes(Long.parseLong(request.group(2)));
        return request.group(1);
    }
}
