package dev.satchel.http;

import java.net.http.HttpClient;
import javax.net.ssl.SSLParameters;

/** How a client begins that lives as long as its server or runner. */
public final class HttpClients {
    private HttpClients() {}

    public static HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                // over plain HTTP the JDK would ask for an upgrade that some servers choke on
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(new LazySslContext())
                // what the JDK would choose by itself, by asking a context that is set up
                .sslParameters(new SSLParameters(null, new String[] {"TLSv1.3", "TLSv1.2"}));
    }
}
