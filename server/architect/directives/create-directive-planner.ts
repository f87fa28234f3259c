import { createManifestCheck } from "./check-manifests.ts";
import { createBench } from "./bench.ts";
import { readAttachments } from "./read-attachments.ts";
import { isStart, PHRASES } from "./phrases.ts";
import { splitMessage } from "./split-message.ts";
import { understand, understandBlock } from "./understand.ts";
import type { Plan } from "../plan.ts";
import type { Planner } from "../planner.ts";
import { refuse, toRejection } from "../refuse.ts";

const MESSAGE = 20_000;

/** Makes plans of messages that say in so many words what is to be done; no model has a part in it. */
export function createDirectivePlanner(): Planner {
  const checkManifests = createManifestCheck();
  return Object.freeze<Planner>({
    name: "directives",
    async plan({ message, attachments }, ground): Promise<Plan | undefined> {
      const text = message.slice(0, MESSAGE).toWellFormed();
      const { segments, literals } = splitMessage(text, isStart);
      const reader = { ground, phrases: PHRASES, attachments: readAttachments(attachments) };
      const sentences = segments.map((segment) => understand(reader, segment, literals));
      // Perhaps it is YAML from its first line to its last.
      const isForeign = sentences.every(({ kind }) => kind === "unknown");
      const understood = isForeign ? [understandBlock(reader, { language: "yaml", text })] : sentences;
      const refused = understood.find(({ kind }) => kind === "refused");
      if (refused?.kind === "refused") return toRejection(refused.error);
      const deeds = understood.flatMap((one) => (one.kind === "deeds" ? one.deeds : []));
      const isPart = understood.some((one) => one.kind === "unknown" && one.isPart);
      if (deeds.length === 0 && !isPart) return undefined;
      try {
        if (message.length > MESSAGE) throw tooLong();
        for (const one of understood) if (one.kind === "unknown") throw halfUnderstood(one.rest);
        const bench = createBench(ground);
        for (const deed of deeds) await deed(bench);
        const plan = bench.toPlan();
        if (plan.kind === "change") await checkManifests(plan.files, ground);
        return plan;
      } catch (error) {
        return toRejection(error);
      }
    },
  });
}

function tooLong(): Error {
  return refuse(`The message has more than ${MESSAGE} characters.`, "Send it in parts, or attach what is long.");
}

function halfUnderstood(rest: string): Error {
  const shown = rest.length > 200 ? `${rest.slice(0, 200)}…`.toWellFormed() : rest;
  const reason = `Only a part of the message is understood; this is not: "${shown.replaceAll(/\s+/g, " ").trim()}". Nothing of it is done.`;
  return refuse(reason, "Leave that part out, send it by itself, or say it in one of the sentences of docs/architect.md.");
}
