import { parentPort } from "node:worker_threads";
import type { Picture } from "./picture.ts";
import { loadOptional } from "../../../config/optional-package.ts";
import { CairnError } from "../../../errors.ts";

const VEGA = { feature: "A picture", packages: ["vega", "vega-lite"] };

/** A picture, or why there is none. `isMissing`: Vega is not installed. */
export type RenderAnswer =
  | { readonly svg: string; readonly error?: never }
  | { readonly svg?: never; readonly error: string; readonly isMissing: boolean };

parentPort?.on("message", (picture: Picture) => {
  void render(picture).then((answer) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answer);
  });
});

async function render(picture: Picture): Promise<RenderAnswer> {
  try {
    const { renderPicture } = await loadOptional(VEGA, () => import("./render-picture.ts"));
    return { svg: await renderPicture(picture) };
  } catch (error) {
    if (error instanceof CairnError) return { error: error.message, isMissing: true };
    return { error: String(error), isMissing: false };
  }
}
