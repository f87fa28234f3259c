import { parentPort } from "node:worker_threads";
import type { Picture } from "./picture.ts";
import { renderPicture } from "./render-picture.ts";

export type RenderAnswer =
  { readonly svg: string; readonly error?: never } | { readonly svg?: never; readonly error: string };

parentPort?.on("message", (picture: Picture) => {
  void render(picture).then((answer) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(answer);
  });
});

async function render(picture: Picture): Promise<RenderAnswer> {
  try {
    return { svg: await renderPicture(picture) };
  } catch (error) {
    return { error: String(error) };
  }
}
