package dev.satchel.http.outbound;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Distinguishes public addresses from private and local ones. */
public final class PublicAddresses {
    private PublicAddresses() {}

    public static boolean isLiteral(String host) {
        return host.startsWith("[") || host.matches("[0-9]+(\\.[0-9]+){3}");
    }

    /** Neither private nor special nor an address of this machine. */
    public static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        boolean ordinary =
                address instanceof Inet4Address ? isOrdinary4(bytes) : isOrdinary6(bytes);
        return ordinary && !isLocal(address);
    }

    private static boolean isOrdinary4(byte[] bytes) {
        int first = bytes[0] & 0xFF;
        int second = bytes[1] & 0xFF;
        int third = bytes[2] & 0xFF;
        boolean thisNetwork = first == 0;
        boolean carrierGrade = first == 100 && (second & 0xC0) == 64;
        boolean benchmark = first == 198 && (second & 0xFE) == 18;
        boolean assignments = first == 192 && second == 0 && (third == 0 || third == 2);
        boolean examples =
                (first == 198 && second == 51 && third == 100)
                        || (first == 203 && second == 0 && third == 113);
        boolean reserved = first >= 240 || assignments || examples;
        return !thisNetwork && !carrierGrade && !benchmark && !reserved;
    }

    /** Only 2000::/3 is public; inside it 6to4 and Teredo carry other addresses. */
    private static boolean isOrdinary6(byte[] bytes) {
        int first = ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        int second = ((bytes[2] & 0xFF) << 8) | (bytes[3] & 0xFF);
        boolean sixToFour = first == 0x2002;
        boolean teredo = first == 0x2001 && second == 0;
        boolean examples = first == 0x2001 && second == 0x0DB8;
        return (first & 0xE000) == 0x2000 && !sixToFour && !teredo && !examples;
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException _) {
            return true; // refuse in doubt
        }
    }
}
