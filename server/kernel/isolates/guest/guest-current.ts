import type { Context } from "../../../host-api.ts";

/**
 * Finder of `ctx` of the call that runs, for what handlers reach without `ctx`. Undefined while the program is loaded. With
 * several calls at once it is the one that entered last, so such programs are entered with one at a time.
 */
export const current: { find: () => Context | undefined } = Object.seal(
  Object.assign(Object.create(null), { find: () => undefined }),
);
