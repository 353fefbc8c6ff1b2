package dev.satchel.http.outbound;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The most of the public network that any agent may reach, whatever it asks for. An empty list
 * leaves the hosts or the ports to the agents.
 */
record EgressCeiling(List<AllowedHosts.Entry> hosts, List<Integer> ports) {
    static final String HOSTS = "SATCHEL_EGRESS_HOSTS";
    static final String PORTS = "SATCHEL_EGRESS_PORTS";
    static final EgressCeiling NONE = new EgressCeiling(List.of(), List.of());

    private static final int LAST_PORT = 65_535;

    EgressCeiling {
        hosts = List.copyOf(hosts);
        ports = List.copyOf(ports);
    }

    /** An invalid entry is an IllegalArgumentException that names the variable and the entry. */
    static EgressCeiling from(Map<String, String> environment) {
        return new EgressCeiling(
                entries(environment, HOSTS).map(EgressCeiling::host).toList(),
                entries(environment, PORTS).map(EgressCeiling::port).toList());
    }

    /** An entry of the hosts without a port allows the ports of the second list, or every one. */
    boolean allows(HostAndPort target) {
        boolean portFits = ports.isEmpty() || ports.contains(target.port());
        return portFits
                && (hosts.isEmpty() || hosts.stream().anyMatch(entry -> entry.covers(target)));
    }

    static Stream<String> entries(Map<String, String> environment, String variable) {
        return Arrays.stream(environment.getOrDefault(variable, "").split(",", -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static AllowedHosts.Entry host(String text) {
        try {
            return AllowedHosts.Entry.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(HOSTS + ": " + e.getMessage(), e);
        }
    }

    private static int port(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException(PORTS + ": not a port: " + text);
        }
        return port;
    }
}
