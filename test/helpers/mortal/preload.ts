import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a service (`NODE_OPTIONS=--import`) that is to be killed at one of its steps: what the service opens its
 * store and its git with is replaced by the same, counted. See `kill-points.ts`.
 */
const COUNTED: ReadonlySet<string> = new Set(["./store/lmdb.ts", "./versions/git/git.ts"]);

if (isMainThread && process.argv[1]?.endsWith("/cairn.mjs") === true) {
  registerHooks({
    resolve(specifier, context, next) {
      const isCounted = COUNTED.has(specifier) && context.parentURL?.endsWith("/server/app.ts") === true;
      return next(isCounted ? new URL("counted-parts.ts", import.meta.url).href : specifier, context);
    },
  });
}
