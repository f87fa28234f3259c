import { covers } from "../../../../versions/covers.ts";
import type { Clause } from "../clause.ts";
import { heldBy, readRights, type Rights } from "../guess/access/read-rights.ts";
import type { Places } from "../places/places.ts";

/** A right that is given to a role, or taken from it. */
interface Change {
  readonly role: string;
  readonly right: string;
  readonly isGiven: boolean;
}

/** Judges changes of rights by what a clause says of them. What all readings share is found once. */
export interface RightsJudge {
  /** Tells whether a change of that name is one that the clause speaks against. */
  mistakes(name: string): boolean;
  /** Tells whether changes of these names, where they are of rights, are only a part of what the clause says of those, or it leaves them open. */
  halves(names: readonly string[]): boolean;
}

/** Makes a judge of changes of rights. */
export function judgeRights(clause: Clause, places: Places): RightsJudge {
  let read: Rights | undefined;
  const rightsOf = () => (read ??= readRights(clause, places));
  return {
    mistakes(name) {
      // What is to be of all roles but one is no wish for tools.
      if (/^(?:drop|require|remove) /.test(name)) return rightsOf().isExcepting;
      const changes = toChanges(name);
      if (changes.length === 0) return false;
      const { bars, shifts, losing } = rightsOf();
      return changes.some(
        ({ role, right, isGiven }) =>
          (isGiven && losing.has(role) && !shifts.some((one) => one.role.id === role && one.isGiven)) ||
          bars.some(
            (bar) =>
              (bar.role ?? role) === role &&
              (bar.isGiven ?? isGiven) === isGiven &&
              (bar.rights === undefined || bar.rights.includes(right)),
          ) ||
          isAnother(shifts, { role, right, isGiven }),
      );
    },
    halves(names) {
      const changes = names.flatMap(toChanges);
      if (changes.length === 0) return false;
      const { shifts, isOpen } = rightsOf();
      return isOpen || shifts.some((shift) => shift.rights.some((right) => !isDone({ ...shift, right })));

      function isDone({ role, right, isGiven }: Rights["shifts"][number] & { readonly right: string }): boolean {
        const isHeld = heldBy(role, places).some((own) => covers(own, right));
        return (
          isHeld === isGiven ||
          changes.some((one) => one.role === role.id && one.isGiven === isGiven && covers(one.right, right))
        );
      }
    },
  };
}

/** Tells whether a clause says the opposite of a change, or the same of other roles alone. */
function isAnother(shifts: Rights["shifts"], { role, right, isGiven }: Change): boolean {
  const ofRight = shifts.filter(({ rights }) => rights.includes(right));
  const own = ofRight.filter((shift) => shift.role.id === role);
  return own.length > 0
    ? own.every((shift) => shift.isGiven !== isGiven)
    : ofRight.some((shift) => shift.isGiven === isGiven);
}

/** The rights that a change of that name gives and takes. */
function toChanges(name: string): readonly Change[] {
  return name.split(" & ").flatMap((part) => {
    const [, verb, of = "", list = ""] = /^(grant|revoke) (role \S+) (\S+)$/.exec(part) ?? [];
    if (verb !== undefined) return toList(of, list, verb === "grant");
    if (!part.startsWith("exchange ")) return [];
    return [...part.matchAll(/(role \S+) ([+-])(\S+)/g)].flatMap(([, role = "", sign, rights = ""]) =>
      toList(role, rights, sign === "+"),
    );
  });
}

function toList(role: string, rights: string, isGiven: boolean): readonly Change[] {
  return rights.split(",").map((right) => ({ role, right, isGiven }));
}
