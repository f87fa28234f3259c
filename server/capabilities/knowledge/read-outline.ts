import { type Event, EVENT_ID, getScalarValue } from "js-yaml";
import { createPositions } from "../../versions/manifests/position.ts";
import { parseToEvents } from "../../versions/manifests/yaml/parse-to-events.ts";

/** A value of a YAML file and where it stands: a text, a mapping or a list. */
export interface Outline {
  /** 1-based; of a value in a mapping, the line of its key. */
  readonly line: number;
  readonly text?: string;
  readonly keys?: ReadonlyMap<string, Outline>;
  readonly items?: readonly Outline[];
}

/**
 * Reads a manifest for what stands on which line, without checking it: whatever is wrong with it is the loader's to
 * say. Of what lies more than `depth` mappings and lists deep only the line is kept. Undefined where it is no YAML at all.
 */
export function readOutline(yaml: string, depth: number): Outline | undefined {
  const events = parseToEvents(yaml);
  if ("rule" in events) return undefined;
  const toPosition = createPositions(yaml);
  const toLine = (offset: number) => toPosition(Math.max(0, offset)).line;
  let next = 0;

  const readValue = (below: number, line?: number): Outline => {
    const event = events[next++];
    switch (event?.type) {
      case EVENT_ID.DOCUMENT:
        return readValue(below);
      case EVENT_ID.SCALAR:
        return { line: line ?? toLine(event.valueStart), text: getScalarValue(yaml, event) };
      case EVENT_ID.SEQUENCE: {
        const at = line ?? toLine(event.start);
        return below === 0 ? skip(at) : { line: at, items: readItems(below - 1) };
      }
      case EVENT_ID.MAPPING: {
        const at = line ?? toLine(event.start);
        return below === 0 ? skip(at) : { line: at, keys: readKeys(below - 1) };
      }
      default:
        return { line: line ?? 1 };
    }
  };

  const readItems = (below: number): readonly Outline[] => {
    const items: Outline[] = [];
    while (isOpen(events[next])) items.push(readValue(below));
    next++;
    return items;
  };

  const readKeys = (below: number): ReadonlyMap<string, Outline> => {
    const keys = new Map<string, Outline>();
    while (isOpen(events[next])) {
      const key = readValue(below);
      keys.set(key.text ?? "", readValue(below, key.line));
    }
    next++;
    return keys;
  };

  /** Goes to the end of a mapping or list that has begun. */
  const skip = (line: number): Outline => {
    for (let open = 1; open > 0 && next < events.length; next++) {
      const type = events[next]?.type;
      if (type === EVENT_ID.POP) open--;
      else if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) open++;
    }
    return { line };
  };

  return readValue(depth);
}

function isOpen(event: Event | undefined): boolean {
  return event !== undefined && event.type !== EVENT_ID.POP;
}

/** The texts of a list, or of a single value that stands for one; nothing where there is none. */
export function listTexts(outline: Outline | undefined): readonly { readonly text: string; readonly line: number }[] {
  return (outline?.items ?? []).flatMap(({ text, line }) => (text === undefined ? [] : [{ text, line }]));
}

/** Follows a path of keys to what stands under it. */
export function follow(outline: Outline | undefined, ...keys: readonly string[]): Outline | undefined {
  return keys.reduce<Outline | undefined>((at, key) => at?.keys?.get(key), outline);
}
