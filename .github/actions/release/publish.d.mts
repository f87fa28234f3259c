import type { Ask } from "../github.mjs";

export function publishRelease(options: {
  readonly ask: Ask;
  readonly repository: string;
  readonly notes: string;
}): Promise<"published" | "there already">;
