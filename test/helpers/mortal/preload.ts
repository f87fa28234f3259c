import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a service (`NODE_OPTIONS=--import`) that is to be killed at one of its steps: what the service opens its
 * store and its git with is replaced by the same, counted. See `kill-points.ts`.
 */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ["/server/store/lmdb/lmdb.ts", "/server/app/open-store.ts"],
  ["/server/versions/git/git.ts", "/server/app/app.ts"],
]);

if (isMainThread && process.argv[1]?.endsWith("/cairn.mjs") === true) {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const isCounted = [...COUNTED].some(
        ([part, user]) => found.url.endsWith(part) && context.parentURL?.endsWith(user) === true,
      );
      return isCounted ? next(new URL("counted-parts.ts", import.meta.url).href, context) : found;
    },
  });
}
