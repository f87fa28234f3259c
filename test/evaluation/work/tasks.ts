import type { FileCheck } from "../checks.ts";

/** A task in plain words for one of the agents, what holds of its files once it is live, and how a program would do it. */
export interface WorkTask {
  readonly agent: "shop" | "tickets" | "farm";
  readonly title: string;
  readonly objective: string;
  readonly checks: readonly FileCheck[];
  /** Replacements of a scripted model or worker: file, text, and what to put there. */
  readonly edits: readonly (readonly [file: string, find: string, put: string])[];
}

type Row = readonly [
  title: string,
  objective: string,
  file: string,
  check: Omit<FileCheck, "file">,
  find: string,
  put: string,
];

const equals = (path: string, value: FileCheck["value"]) => ({ path, op: "equals", value }) as const;
const includes = (path: string, value: FileCheck["value"]) => ({ path, op: "includes", value }) as const;

/** Written before anybody looked at what is understood of them. */
const ROWS: Readonly<Record<WorkTask["agent"], readonly Row[]>> = {
  shop: [
    [
      "Longer searches",
      "People paste whole sentences into the product search. Let them write up to 300 characters there.",
      "manifests/catalog/search_products.yaml",
      equals("/input/properties/query/maxLength", 300),
      "maxLength: 120",
      "maxLength: 300",
    ],
    [
      "Prices in Swiss francs",
      "We deliver to Switzerland now, so product details should be available with prices in CHF as well.",
      "manifests/catalog/get_product.yaml",
      includes("/input/properties/currency/enum", "CHF"),
      "[EUR, USD, GBP]",
      "[EUR, USD, GBP, CHF]",
    ],
    [
      "More photos of damage",
      "Three photos are not enough to show what is broken when something is returned. Allow six.",
      "manifests/orders/request_return.yaml",
      equals("/input/properties/photos/maxItems", 6),
      "maxItems: 3",
      "maxItems: 6",
    ],
    [
      "Reviews of everybody",
      "When nobody says otherwise, the list of reviews should show those of people who did not buy here, too.",
      "manifests/catalog/list_reviews.yaml",
      equals("/input/properties/verified_only/default", false),
      "default: true",
      "default: false",
    ],
    [
      "Why orders are cancelled",
      "Customers also cancel because they ordered twice by mistake. ordered_twice should be one of the cancellation reasons.",
      "manifests/orders/cancel_order.yaml",
      includes("/input/properties/reason/enum", "ordered_twice"),
      "changed_mind, other]",
      "changed_mind, ordered_twice, other]",
    ],
    [
      "Patience for tracking",
      "Tracking an order fails when the carrier is slow. Give it five seconds instead of two and a half.",
      "manifests/orders/track_order.yaml",
      equals("/limits/time", 5000),
      "time: 2500",
      "time: 5000",
    ],
    [
      "What the wish list is for",
      "The description of the gift note should say that it is printed in blue ink on the card in the parcel.",
      "manifests/orders/place_order.yaml",
      { path: "/input/properties/gift_note/description", op: "matches", value: "blue ink" },
      "What to print on the card in the parcel.",
      "What to print in blue ink on the card in the parcel.",
    ],
  ],
  tickets: [
    [
      "Subjects of letters",
      "Subjects of letters get cut off. A ticket's subject may have 200 characters.",
      "manifests/desk/create_ticket.yaml",
      equals("/input/properties/subject/maxLength", 200),
      "maxLength: 140",
      "maxLength: 200",
    ],
    [
      "A team for returns",
      "There is a new team, returns, that tickets can be assigned to.",
      "manifests/desk/assign_ticket.yaml",
      includes("/input/properties/team/enum", "returns"),
      "billing, technical]",
      "billing, technical, returns]",
    ],
    [
      "No survey by default",
      "Customers are annoyed by the survey after a ticket is closed. Only send it when somebody asks for it.",
      "manifests/desk/close_ticket.yaml",
      equals("/input/properties/send_survey/default", false),
      "default: true",
      "default: false",
    ],
    [
      "Spanish articles",
      "The knowledge base has Spanish articles since last week; suggestions should be possible in es.",
      "manifests/knowledge/suggest_articles.yaml",
      includes("/input/properties/language/enum", "es"),
      "enum: [en, de, fr]",
      "enum: [en, de, fr, es]",
    ],
    [
      "Bigger attachments",
      "Comments should take up to ten attachments.",
      "manifests/desk/add_comment.yaml",
      equals("/input/properties/attachments/maxItems", 10),
      "maxItems: 5",
      "maxItems: 10",
    ],
    [
      "Reached by the app",
      "Customers can write to us from the app now. Add app to the channels of a new ticket.",
      "manifests/desk/create_ticket.yaml",
      includes("/input/properties/channel/enum", "app"),
      "[email, phone, chat, letter]",
      "[email, phone, chat, letter, app]",
    ],
    [
      "The pagers are gone",
      "Nobody has a pager any more, so assigning a ticket should no longer offer to wake somebody with one.",
      "manifests/desk/assign_ticket.yaml",
      { path: "/input/properties/pager", op: "absent" },
      "    pager:\n      type: boolean\n      default: false\n      description: Wake whoever is on duty. We gave the pagers back in spring.\n",
      "",
    ],
  ],
  farm: [
    [
      "Longer builds",
      "Release builds take up to six hours these days. The most that somebody can allow a build has to be 360 minutes.",
      "manifests/builds/start_build.yaml",
      equals("/input/properties/timeout_minutes/maximum", 360),
      "maximum: 240",
      "maximum: 360",
    ],
    [
      "Windows on ARM",
      "We bought ARM machines with Windows. It should be possible to start builds for windows-arm64.",
      "manifests/builds/start_build.yaml",
      includes("/input/properties/target/enum", "windows-arm64"),
      "macos-arm64, windows-x64]",
      "macos-arm64, windows-x64, windows-arm64]",
    ],
    [
      "Warnings first",
      "Whoever looks at a build log wants to see warnings and errors only, unless they choose another level.",
      "manifests/builds/build_logs.yaml",
      equals("/input/properties/level/default", "warning"),
      "default: info",
      "default: warning",
    ],
    [
      "Drain politely",
      "Builds on a machine that is drained get thirty minutes to finish when nobody names a time.",
      "manifests/fleet/drain_machine.yaml",
      equals("/input/properties/grace_minutes/default", 30),
      "default: 15",
      "default: 30",
    ],
    [
      "Reasons in full",
      "Two hundred characters are too few for the reason of a cancelled build. Let people write 500.",
      "manifests/builds/cancel_build.yaml",
      equals("/input/properties/reason/maxLength", 500),
      "maxLength: 200",
      "maxLength: 500",
    ],
    [
      "Keep logs longer",
      "The auditors want logs of builds to be kept for ninety days by default.",
      "manifests/parameters/recovery.yaml",
      equals("/parameters/keep_logs_days/default", 90),
      "max: 365\n    default: 30",
      "max: 365\n    default: 90",
    ],
  ],
};

export const WORK_TASKS: readonly WorkTask[] = (["shop", "tickets", "farm"] as const).flatMap((agent) =>
  ROWS[agent].map(([title, objective, file, check, find, put]) => ({
    agent,
    title,
    objective,
    checks: [{ file, ...check }],
    edits: [[file, find, put] as const],
  })),
);
