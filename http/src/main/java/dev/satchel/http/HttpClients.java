package dev.satchel.http;

import java.net.http.HttpClient;
import javax.net.ssl.SSLParameters;

/** Creates HTTP clients for connections to other servers. */
public final class HttpClients {
    private HttpClients() {}

    public static HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                // over plain HTTP the JDK would request an upgrade that some servers refuse
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(new LazySslContext())
                // the defaults of the JDK, which it would read from an initialized context
                .sslParameters(new SSLParameters(null, new String[] {"TLSv1.3", "TLSv1.2"}));
    }
}
