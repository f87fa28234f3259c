import { type Event, EVENT_ID } from "js-yaml";
import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import type { Finding } from "./finding.ts";
import { offsetOf } from "./locate.ts";
import type { Position } from "../position.ts";

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

/** Keys that are no text, that are there twice, that JavaScript or YAML 1.1 gives a meaning; numbers JSON cannot carry. */
export function checkKeys(root: unknown, toPosition: (offset: number) => Position): readonly Finding[] {
  const findings: Finding[] = [];
  visit(root);
  return findings;

  function visit(node: unknown): void {
    if (isSeq(node)) node.items.forEach(visit);
    else if (isScalar(node)) checkNumber(node);
    else if (isMap(node)) {
      const seen = new Map<string, number>();
      for (const { key, value } of node.items) {
        checkKey(key, seen);
        visit(value);
      }
    }
  }

  function checkKey(key: unknown, seen: Map<string, number>): void {
    const offset = offsetOf(key);
    if (!isScalar(key) || typeof key.value !== "string") {
      const source = isScalar(key) ? (key.source ?? "") : "";
      const message = isScalar(key) ? `The key \`${source}\` is not a text.` : "A list or mapping is used as a key.";
      const fix = isScalar(key) ? `Put it in quotes: \`"${source}"\`.` : "Use a text as the key.";
      findings.push({ offset, rule: "yaml-key", message, fix });
    } else if (key.value === "__proto__") {
      const message = "The key `__proto__` changes what an object inherits instead of what it holds.";
      findings.push({ offset, rule: "yaml-key", message, fix: "Choose another name." });
    } else if (key.value === "<<") {
      const message = "The merge key `<<` is YAML that manifests do not use.";
      findings.push({ offset, rule: "yaml-feature", message, fix: "Write the keys out where they are needed." });
    } else if (seen.has(key.value)) {
      const { line } = toPosition(seen.get(key.value) ?? 0);
      const message = `The key \`${key.value}\` is already on line ${line}.`;
      findings.push({ offset, rule: "duplicate-key", message, fix: "Keep one of the two." });
    } else seen.set(key.value, offset);
  }

  function checkNumber(node: Scalar): void {
    if (typeof node.value !== "number") return;
    const source = node.source ?? "";
    const exact = Number.isSafeInteger(node.value) || (Number.isFinite(node.value) && /[.eE]/.test(source));
    if (exact) return;
    const message = `The number \`${source}\` has no exact form in JSON.`;
    const fix = Number.isFinite(node.value)
      ? `Write a smaller number, or a text: \`"${source}"\`.`
      : "Write a finite number.";
    findings.push({ offset: offsetOf(node), rule: "yaml-number", message, fix });
  }
}
