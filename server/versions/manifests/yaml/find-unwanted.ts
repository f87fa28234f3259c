import { type Event, EVENT_ID } from "js-yaml";
import type { Finding } from "./finding.ts";

/**
 * Further documents, anchors, aliases, tags and directives: what they bring in stands elsewhere, so a reviewer of a change cannot see what
 * it does, and aliases of aliases grow exponentially.
 */
export function findUnwanted(text: string, events: readonly Event[]): readonly Finding[] {
  const second = events.findIndex(({ type }, index) => type === EVENT_ID.DOCUMENT && index > 0);
  if (second > 0) return [secondDocument(text, events.slice(0, second))];
  return events.flatMap((event): Finding[] => {
    if (event.type === EVENT_ID.POP) return [];
    if (event.type === EVENT_ID.DOCUMENT) {
      if (event.directives.length === 0) return [];
      return [unwanted(Math.max(0, text.search(/^%/m)), "A directive", "Leave it out; manifests are YAML 1.2.")];
    }
    if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      return [unwanted(event.anchorStart - 1, `The alias \`*${name}\``, "Write the value out where it is needed.")];
    }
    const findings: Finding[] = [];
    if (event.anchorStart >= 0) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      findings.push(unwanted(event.anchorStart - 1, `The anchor \`&${name}\``, "Remove it, and write values out."));
    }
    if (event.tagStart >= 0) {
      const tag = text.slice(event.tagStart, event.tagEnd);
      const fix = tag === "!!str" ? "Put the text in quotes instead." : "Remove it; a text goes in quotes.";
      findings.push(unwanted(event.tagStart, `The tag \`${tag}\``, fix));
    }
    return findings;
  });
}

function secondDocument(text: string, before: readonly Event[]): Finding {
  const last = Math.max(...before.map((event) => ("valueStart" in event ? event.valueStart : 0)), 0);
  const marker = text.slice(last).search(/^(?:---|\.\.\.)/m);
  return {
    offset: last + Math.max(0, marker),
    rule: "yaml-feature",
    message: "A second document starts here.",
    fix: "Keep one document in a file: put this one into a file of its own.",
  };
}

function unwanted(offset: number, what: string, fix: string): Finding {
  return { offset, rule: "yaml-feature", message: `${what} is YAML that manifests do not use.`, fix };
}
