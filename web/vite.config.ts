import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { embedScriptPlugin } from "./scripts/embedScriptPlugin.ts";

/** The local twin that `npm run dev` forwards API requests to. */
const twin = process.env.OMNIFORGE_TWIN ?? "http://127.0.0.1:8787";
const forwarded = ["/v1", "/config.json", "/.local", "/.well-known", "/mcp", "/openapi.json", "/docs"];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), embedScriptPlugin(here("embed/host/loader.ts"))],
  resolve: { alias: { "@": here("src") } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { input: ["index.html", "embed.html"] },
  },
  server: { proxy: Object.fromEntries(forwarded.map((path) => [path, { target: twin }])) },
  test: { environment: "happy-dom", include: ["tests/**/*.test.{ts,tsx}"], setupFiles: ["tests/setup.ts"] },
});
