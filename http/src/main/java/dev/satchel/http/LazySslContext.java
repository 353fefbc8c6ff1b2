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
 * TLS with the default settings of the JDK, initialized by the first connection that needs it. A
 * client would initialize it at once and read all CA certificates, which is a tenth of the start;
 * many installations use no TLS connection at all.
 */
final class LazySslContext extends SSLContext {
    LazySslContext() {
        super(new LazySpi(), null, "TLS");
    }

    private static final class LazySpi extends SSLContextSpi {
        private static SSLContext defaultContext() {
            try {
                return SSLContext.getDefault();
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
            throw new KeyManagementException("the context has the default settings of the JDK");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return defaultContext().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return defaultContext().getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return defaultContext().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return defaultContext().createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return defaultContext().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return defaultContext().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return defaultContext().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return defaultContext().getSupportedSSLParameters();
        }
    }
}
