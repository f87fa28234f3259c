import type { FileCheck } from "../checks.ts";

/** An objective in plain words for one of the agents, and what holds of its files once it is done. */
export interface Objective {
  readonly agent: "shop" | "tickets" | "farm" | "clinic" | "freight";
  /** `kept` ones are only ever measured: nothing is tuned on them. */
  readonly part: "development" | "kept";
  readonly title: string;
  readonly objective: string;
  readonly checks: readonly FileCheck[];
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
  },
  {
    agent: "farm",
    part: "development",
    title: "Show more of the log by default",
    objective: "People always ask for more of the build log. Give them 500 lines unless they ask for something else.",
    checks: [
      { file: "manifests/builds/build_logs.yaml", path: "/input/properties/tail/default", op: "equals", value: 500 },
    ],
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
  },
  {
    agent: "clinic",
    part: "development",
    title: "Try reminders more often",
    objective: "Reminders are tried only once more when delivery fails. Try three times by default.",
    checks: [
      { file: "manifests/parameters/reminders.yaml", path: "/parameters/retries/default", op: "equals", value: 3 },
    ],
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
  },
  {
    agent: "freight",
    part: "kept",
    title: "Drop the fax number",
    objective: "Nobody has used the fax number of a pickup for years. Take that field out of the booking.",
    checks: [{ file: "manifests/dispatch/book_pickup.yaml", path: "/input/properties/fax", op: "absent" }],
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
  },
  {
    agent: "farm",
    part: "kept",
    title: "Long logs take longer",
    objective: "Reading a long build log runs into the time limit. Raise it to eight seconds.",
    checks: [{ file: "manifests/builds/build_logs.yaml", path: "/limits/time", op: "equals", value: 8000 }],
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
  },
];
