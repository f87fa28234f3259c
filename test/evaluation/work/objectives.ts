import type { FileCheck } from "../checks.ts";

/** An objective in plain words for one of the agents, and what holds of its files once it is done. */
export interface Objective {
  readonly agent: "shop" | "tickets" | "farm" | "clinic" | "freight";
  /** `kept` ones are only ever measured: nothing is tuned on them. */
  readonly part: "development" | "kept";
  readonly title: string;
  readonly objective: string;
  readonly checks: readonly FileCheck[];
  /** The replacements that a good model would submit: file, text, and what to put there. */
  readonly edits: readonly (readonly [file: string, find: string, put: string])[];
}

/** Written before anybody looked at what is understood of them. */
export const OBJECTIVES: readonly Objective[] = [
  {
    agent: "shop",
    part: "development",
    title: "Late parcels can be returned",
    objective:
      "Customers whose parcel came too late cannot say so when they send it back. Let them give arrived_late as the return reason.",
    checks: [
      {
        file: "manifests/orders/request_return.yaml",
        path: "/input/properties/reason/enum",
        op: "includes",
        value: "arrived_late",
      },
    ],
    edits: [["manifests/orders/request_return.yaml", "changed_mind]", "changed_mind, arrived_late]"]],
  },
  {
    agent: "farm",
    part: "development",
    title: "Show more of the log by default",
    objective: "People always ask for more of the build log. Give them 500 lines unless they ask for something else.",
    checks: [
      { file: "manifests/builds/build_logs.yaml", path: "/input/properties/tail/default", op: "equals", value: 500 },
    ],
    edits: [["manifests/builds/build_logs.yaml", "default: 200", "default: 500"]],
  },
  {
    agent: "tickets",
    part: "development",
    title: "Oldest tickets first",
    objective:
      "The support team works through tickets from the oldest. Make the search list the oldest ones first when nobody chooses an order.",
    checks: [
      {
        file: "manifests/desk/search_tickets.yaml",
        path: "/input/properties/order/default",
        op: "equals",
        value: "oldest",
      },
    ],
    edits: [["manifests/desk/search_tickets.yaml", "default: newest", "default: oldest"]],
  },
  {
    agent: "clinic",
    part: "development",
    title: "Try reminders more often",
    objective: "Reminders are tried only once more when delivery fails. Try three times by default.",
    checks: [
      { file: "manifests/parameters/reminders.yaml", path: "/parameters/retries/default", op: "equals", value: 3 },
    ],
    edits: [["manifests/parameters/reminders.yaml", "default: 1\n", "default: 3\n"]],
  },
  {
    agent: "shop",
    part: "development",
    title: "Tell when an order was placed",
    objective:
      "track_order should also answer with placed_at, the time at which the order was placed, as far as it is known.",
    checks: [
      { file: "manifests/orders/track_order.yaml", path: "/output/properties/placed_at", op: "present" },
      { file: "tools/orders/track_order.ts", path: "", op: "matches", value: "placed_at" },
    ],
    edits: [
      [
        "manifests/orders/track_order.yaml",
        "    events:\n      type: array",
        "    placed_at: { type: string, format: date-time, description: When it was placed. }\n    events:\n      type: array",
      ],
      [
        "tools/orders/track_order.ts",
        "ctx.state.get<{ status: string; events?: unknown[] }>",
        "ctx.state.get<{ status: string; placed_at?: string; events?: unknown[] }>",
      ],
      [
        "tools/orders/track_order.ts",
        "return { status: order.status, ",
        "const placed = order.placed_at === undefined ? {} : { placed_at: order.placed_at };\n  return { status: order.status, ...placed, ",
      ],
    ],
  },
  {
    agent: "freight",
    part: "kept",
    title: "Drop the fax number",
    objective: "Nobody has used the fax number of a pickup for years. Take that field out of the booking.",
    checks: [{ file: "manifests/dispatch/book_pickup.yaml", path: "/input/properties/fax", op: "absent" }],
    edits: [
      [
        "manifests/dispatch/book_pickup.yaml",
        "    fax:\n      type: string\n      deprecated: true\n      description: Fax number for the confirmation. Nobody reads it any more.\n",
        "",
      ],
    ],
  },
  {
    agent: "tickets",
    part: "kept",
    title: "Longer words to search for",
    objective: "Searching fails for long subjects. Allow up to 400 characters in the words to look for.",
    checks: [
      {
        file: "manifests/desk/search_tickets.yaml",
        path: "/input/properties/query/maxLength",
        op: "equals",
        value: 400,
      },
    ],
    edits: [["manifests/desk/search_tickets.yaml", "maxLength: 200", "maxLength: 400"]],
  },
  {
    agent: "farm",
    part: "kept",
    title: "Long logs take longer",
    objective: "Reading a long build log runs into the time limit. Raise it to eight seconds.",
    checks: [{ file: "manifests/builds/build_logs.yaml", path: "/limits/time", op: "equals", value: 8000 }],
    edits: [["manifests/builds/build_logs.yaml", "time: 4000", "time: 8000"]],
  },
  {
    agent: "clinic",
    part: "kept",
    title: "Sort patients by species",
    objective:
      "find_patients can sort by name, last visit and age. It should be able to sort by species as well, and really do so.",
    checks: [
      {
        file: "manifests/records/find_patients.yaml",
        path: "/input/properties/sort/enum",
        op: "includes",
        value: "species",
      },
      {
        file: "tools/records/find_patients.ts",
        path: "",
        op: "matches",
        value: "sort[^\\n]*species|species[^\\n]*sort|localeCompare[^\\n]*species",
      },
    ],
    edits: [
      ["manifests/records/find_patients.yaml", "[name, last_visit, age]", "[name, last_visit, age, species]"],
      [
        "tools/records/find_patients.ts",
        "  age: (a, b)",
        "  species: (a, b) => a.species.localeCompare(b.species),\n  age: (a, b)",
      ],
    ],
  },
  {
    agent: "shop",
    part: "kept",
    title: "A note for the warehouse",
    objective:
      "In a return request the comment is really a note for the warehouse. Call the field warehouse_note from now on.",
    checks: [
      { file: "manifests/orders/request_return.yaml", path: "/input/properties/warehouse_note", op: "present" },
      { file: "manifests/orders/request_return.yaml", path: "/input/properties/comment", op: "absent" },
    ],
    edits: [["manifests/orders/request_return.yaml", "    comment:\n", "    warehouse_note:\n"]],
  },
];
