import { defined } from "../json/defined.ts";
import type { Json } from "../json/types.ts";
import type { Server } from "../versions/version.ts";
import { coversKey, overlap, type StoredValue } from "../versions/stored-value.ts";
import type { BumpRule } from "./bump-rules.ts";
import { compareNames, listForbidden } from "./declared/names.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";
import type { Reading } from "./reading.ts";
import { compareSchemas, type Comparison, type Side } from "./schemas/compare-schemas.ts";
import { toPlace } from "./schemas/located.ts";
import { isSame } from "./schemas/same.ts";

/** Findings of one schema that are told one by one. */
const SHOWN = 5;

/**
 * Finds differences of what a server keeps, between versions that share it: each has to read what the other writes. With the
 * reading `declared`, a version writes no members that its schema does not declare.
 */
export function findStateChanges(was: Server, is: Server, reading: Reading): readonly Finding[] {
  if (is.state === undefined || was.state !== is.state) return [];
  const [old, young] = [was.values ?? [], is.values ?? []];
  const ofYoung = young.flatMap((value, index) => {
    const before = findPartner(value, old);
    const isNew = before === undefined || !coversKey(before.key, value.key);
    return [
      ...(isNew
        ? [
            find(
              "state-values-declared",
              is,
              index,
              `Values under ${show(value)} have a form, and could be anything.`,
              value,
            ),
          ]
        : []),
      ...(before === undefined ? [] : comparePair(is, index, before, value, reading)),
    ];
  });
  const ofOld = old.flatMap((value, index) => {
    const after = findPartner(value, young);
    const isGone = after === undefined || !coversKey(after.key, value.key);
    const message = `Values under ${show(value)} can be anything, and had a form.`;
    return [
      ...(isGone ? [find("state-values-freed", was, index, message, value, { side: "before" })] : []),
      ...(after === undefined || findPartner(after, old) === value
        ? []
        : comparePair(is, young.indexOf(after), value, after, reading)),
    ];
  });
  return [...ofYoung, ...ofOld];
}

/** Finds the form that the same keys have in the other version: under the very pattern, else under one with common keys. */
function findPartner({ key }: StoredValue, others: readonly StoredValue[]): StoredValue | undefined {
  return (
    others.find((other) => coversKey(other.key, key) && coversKey(key, other.key)) ??
    others.find((other) => overlap(other.key, key))
  );
}

function comparePair(is: Server, index: number, was: StoredValue, now: StoredValue, reading: Reading): Finding[] {
  if (isSame(was.schema as Json, now.schema as Json)) return [];
  const tell = (rule: "state-values-narrowed" | "state-values-widened", comparison: Comparison, phrase: string) => {
    if (comparison.verdict === "included") return [];
    const { findings } = comparison;
    const witness = comparison.verdict === "excluded" ? comparison.witness : undefined;
    const parts =
      findings.length === 0 ? [{ message: "the value may be another", path: [], value: witness }] : findings;
    return parts.slice(0, SHOWN).map(({ message, path, value = witness }) => {
      const name = value === undefined ? "state-values-unproven" : rule;
      return find(name, is, index, `Values under ${show(now)}: ${phrase}: ${message}.`, now, { path, value });
    });
  };
  const reads = `this version refuses to read what others that share \`${is.state}\` write`;
  const writes = `others that share \`${is.state}\` refuse to read what this version writes`;
  const findings = [
    ...tell("state-values-narrowed", compareFlow(was, now, reading), reads),
    ...tell("state-values-widened", compareFlow(now, was, reading), writes),
  ];
  if (findings.length > 0) return findings;
  return [
    find(
      "state-values-reworded",
      is,
      index,
      `Values under ${show(now)} have another schema, by which both versions read them.`,
      now,
    ),
  ];
}

/** Checks that all that one version writes can be read by the other. */
function compareFlow(writer: StoredValue, reader: StoredValue, reading: Reading): Comparison {
  const { gained } = reading === "declared" ? compareNames(writer.schema, reader.schema) : {};
  const written: Side = {
    place: toPlace(writer.schema),
    also: gained === undefined ? [] : [gained],
    check: (value, extent) => [
      ...writer.check(value, extent),
      ...(gained === undefined ? [] : listForbidden(gained, value as Json)),
    ],
  };
  return compareSchemas(written, { place: toPlace(reader.schema), check: reader.check });
}

interface About {
  readonly side?: "before" | "after";
  readonly path?: readonly string[];
  readonly value?: Json | undefined;
}

function find(
  rule: BumpRule,
  { name: server, file }: Server,
  index: number,
  message: string,
  { key }: StoredValue,
  { side = "after", path = [], value }: About = {},
): Finding {
  const member = [JSON.stringify(key), ...path].join(" ");
  return createFinding(rule, message, placeIn(side, file, "state", "values", index), {
    server,
    member,
    ...defined({ value }),
  });
}

function show({ key }: StoredValue): string {
  return `\`${JSON.stringify(key)}\``;
}
