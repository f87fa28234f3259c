import { fileURLToPath } from "node:url";

/** The language that this build speaks: a folder of `words/`. */
const LANGUAGE = "en";
/** The service that `npm run dev:console` shows, unless `CAIRN_URL` names another. */
const SERVICE = "http://127.0.0.1:3000";
const root = fileURLToPath(new URL(".", import.meta.url));

/** Creates the settings of Vite, for builds and for `npm run dev:console`, which shows each change at once. */
export function createViteConfig(service = SERVICE) {
  return {
    root,
    base: "/console/",
    publicDir: false,
    resolve: { alias: { "#words": `${root}words/${LANGUAGE}` } },
    build: {
      outDir: "dist",
      target: ["chrome123", "firefox121", "safari17.5"],
      // All that is loaded has a name of its own, so that the policy of the page can forbid data in addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    server: {
      proxy: Object.fromEntries(
        [
          "/versions",
          "/agent",
          "/audit",
          "/secrets",
          "/api",
          "/calls",
          "/conversations",
          "/me",
          "/readyz",
          "/replays",
          "/sync",
          "/tokens",
          "/version-graph",
          "/usage",
          "/console/session",
        ].map((path) => [path, service]),
      ),
    },
  };
}

export default createViteConfig(process.env["CAIRN_URL"]);
