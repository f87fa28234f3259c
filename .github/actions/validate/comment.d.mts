import type { Ask } from "../github.mjs";

export function keepComment(options: {
  readonly ask: Ask;
  readonly graphql: string;
  readonly repository: string;
  readonly pullRequest: string;
  readonly path?: string;
  readonly report: string;
}): Promise<"created" | "updated" | "unchanged">;
