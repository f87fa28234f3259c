import type { Draft } from "../drafts/draft.ts";
import type { Places, Thing } from "../places/places.ts";

/** Tells whether changes of these names undo each other: something goes, and something is to become of it besides. */
export function contradict(names: readonly string[], { things, named }: Places): boolean {
  const parts = [...new Set(names.flatMap((name) => name.split(" & ")))];
  if (parts.length < 2) return false;
  const thingOf = (name: string): Thing | undefined =>
    named.get(/^\S+#[^\s=]+/.exec(name)?.[0] ?? "")?.thing ??
    things.find(({ id }) => /^[a-z]+ /.test(name) && name.slice(name.indexOf(" ") + 1) === id);
  return parts.some((name, at) => {
    const gone = name.startsWith("remove ") ? thingOf(name) : undefined;
    return parts.some((other, place) => {
      if (place === at) return false;
      const thing = thingOf(other);
      if (gone === undefined || thing === undefined) return isOpposite(name, other);
      if (thing === gone) return true;
      return gone.kind === "tool" && thing.tool === gone.tool && thing.kind !== "tool";
    });
  });
}

/** Tells whether words behind a wish for something to go say what is to become of it. A field may go, and "it" be its tool. */
export function changesGone(rest: string, { name, thing }: Pick<Draft, "name" | "thing">): boolean {
  return (
    name.startsWith("remove ") &&
    thing?.field === undefined &&
    /(?<=^|\s)(?:its?|them|their)(?=$|[\s,.;!])/iu.test(rest)
  );
}

/** Tells whether one name asks for something to be given, and the other for it to be left out. */
function isOpposite(one: string, other: string): boolean {
  return one.startsWith("require ") && other === `relax ${one.slice("require ".length)}`;
}
