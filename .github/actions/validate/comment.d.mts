import type { Ask } from "../github.mjs";

export function keepComment(options: {
  readonly ask: Ask;
  readonly repository: string;
  readonly pullRequest: string;
  readonly report: string;
}): Promise<"created" | "updated" | "unchanged">;
