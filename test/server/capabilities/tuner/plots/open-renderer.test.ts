import { expect, onTestFinished, test } from "vitest";
import { openRenderer } from "../../../../../server/capabilities/tuner/plots/open-renderer.ts";
import { toEmptyPicture } from "../../../../../server/capabilities/tuner/plots/picture.ts";
import { renderPicture } from "../../../../../server/capabilities/tuner/plots/render-picture.ts";

const PICTURE = toEmptyPicture("route: mean reward of each arm", "no reward has come");

test("pictures from the thread are those drawn here, in whatever order they are asked for", async () => {
  const renderer = openRenderer();
  onTestFinished(() => renderer.close());
  const other = toEmptyPicture("another", "nothing");
  const drawn = await Promise.all([PICTURE, other, PICTURE].map((picture) => renderer.render(picture)));
  expect(drawn).toEqual([await renderPicture(PICTURE), await renderPicture(other), await renderPicture(PICTURE)]);
});

test("a picture that cannot be drawn leaves the next ones to be drawn", async () => {
  const renderer = openRenderer();
  onTestFinished(() => renderer.close());
  await expect(renderer.render({ ...PICTURE, spec: { mark: "no such mark" } })).rejects.toThrow();
  expect(await renderer.render(PICTURE)).toContain("Nothing yet");
});

test("a thread that takes too long is replaced", async () => {
  const renderer = openRenderer({ timeLimit: 1 });
  onTestFinished(() => renderer.close());
  await expect(renderer.render(PICTURE)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  await expect(renderer.render(PICTURE)).rejects.toMatchObject({ name: "UNAVAILABLE" });
});

test("a flood of pictures is refused", async () => {
  const renderer = openRenderer();
  onTestFinished(() => renderer.close());
  const asked = Array.from({ length: 70 }, () => renderer.render(PICTURE));
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === "rejected").length).toBe(6);
});
