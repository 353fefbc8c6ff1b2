import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.SATCHEL_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
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
