import { canonicalJson } from "../../json/canonical-json.ts";
import { toSurface } from "../../versions/surface.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { toVersion } from "./compare-targets.ts";
import { EXIT } from "../exit-codes.ts";
import { openTarget } from "./open-target.ts";
import { TARGET_OPTION } from "./target-options.ts";

/** `cairn surface [ref|dir]`: what `compat://manifest` shows of it, as the bytes that its fingerprint is made of. */
export const createSurfaceCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "surface", description: "Print everything of a version that a client can see or depend on" },
    args: {
      ...TARGET_OPTION,
      digest: { type: "boolean", description: "Print the fingerprint alone" },
    },
    async run({ args }) {
      const target = await openTarget(context, args.target);
      target.close();
      const version = toVersion(target, args.target);
      context.out(args.digest === true ? version.fingerprint() : canonicalJson(toSurface(version)));
      return EXIT.OK;
    },
  });
