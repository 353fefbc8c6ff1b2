import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = process.env.SATCHEL_URL ?? "http://127.0.0.1:8080";

/** Every browser that runs this page reads WOFF2; the other formats would only make the server larger. */
const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform: (code, id) =>
    /katex[^/]*\.css$/.test(id) ? code.replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\([^)]*\)/g, "") : undefined,
};

export default defineConfig({
  plugins: [onlyWoff2, react()],
  build: {
    outDir: "dist",
    assetsInlineLimit: 0, // the policy allows data: for images only
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/agent-server", "/login", "/logout", "/health", "/docs", "/openapi.json"].map(
        (path) => [path, server],
      ),
    ),
  },
});
