package dev.satchel.http;

import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS with the JDK's own settings, set up when the first connection needs it. A client sets it up
 * when it is made; that reads the certificates of all authorities, a tenth of a start, and many
 * installations only ever talk over loopback.
 */
final class LazySslContext extends SSLContext {
    LazySslContext() {
        super(new Later(), null, "TLS");
    }

    private static final class Later extends SSLContextSpi {
        private static SSLContext usual() {
            try {
                return SSLContext.getDefault(); // made once, for all
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("TLS cannot be set up", e);
            }
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys,
                TrustManager @Nullable [] trust,
                @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("has the JDK's own settings");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return usual().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return usual().getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return usual().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return usual().createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return usual().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return usual().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return usual().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return usual().getSupportedSSLParameters();
        }
    }
}
