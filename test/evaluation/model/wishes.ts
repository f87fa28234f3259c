import type { ScriptedReply } from "../../stand-ins/model.ts";
import { submit } from "../../stand-ins/planning-model.ts";

/** A wish for the example agent, with the plan that a good model would submit. */
export interface ModelWish {
  readonly message: string;
  readonly plan: { readonly change: SubmittedWish } | { readonly tune: object };
}

interface SubmittedWish {
  readonly title: string;
  readonly changes: readonly string[];
  readonly edits: readonly object[];
}

type Replacement = readonly [find: string, put: string];

const WEATHER = "manifests/runner/get_weather.yaml";
const CHAT = "manifests/runner/chat.yaml";
const DECIDE = "manifests/decisions/decide_evaluate.yaml";
const POLICY = "manifests/policies/access.yaml";
const parameters = (name: string) => `manifests/parameters/${name}.yaml`;

function toPlan(path: string, replacements: readonly Replacement[], title = "Do what is asked for"): SubmittedWish {
  const replace = replacements.map(([find, put]) => ({ find, with: put }));
  return { title, changes: ["It does what was asked for."], edits: [{ path, replace }] };
}
const wish = (message: string, path: string, ...replacements: readonly Replacement[]): ModelWish => ({
  message,
  plan: { change: toPlan(path, replacements) },
});

/** Legitimate wishes in words that no sentence of the documentation has. */
export const WISHES: readonly ModelWish[] = [
  wish("Scientists who ask us about the weather would like to get kelvin.", WEATHER, [
    "[metric, imperial]",
    "[metric, imperial, kelvin]",
  ]),
  wish("What we miss in the weather is an absolute scale in Fahrenheit steps.", WEATHER, [
    "[metric, imperial]",
    "[metric, imperial, rankine]",
  ]),
  wish("People puzzle over what units is for when they ask about the weather.", WEATHER, [
    "enum: [metric, imperial]",
    "description: Unit system of all numbers in the answer.\n      enum: [metric, imperial]",
  ]),
  wish("The headline of our weather tool is dull.", WEATHER, ["title: Weather", "title: Weather anywhere"]),
  wish("From our slow site the weather needs twenty seconds.", WEATHER, ["time: 15000", "time: 20000"]),
  wish("When the model takes its time, the chat gives up on us far too early.", CHAT, ["time: 60000", "time: 120000"]),
  {
    message: "What the chat answers is far too long for our phones.",
    plan: { tune: { adjustments: [{ kind: "promote", experiment: "replies", values: { length: "brief" } }] } },
  },
  wish("The chat is so cold when people say hello to it.", parameters("greeting"), ["default: plain", "default: warm"]),
  wish("The chat takes the wrong tool for vague messages.", parameters("chat"), ["default: 0.4", "default: 0.5"]),
  wish("Where two tools are close the chat had better ask sooner.", parameters("chat"), [
    "default: 0.15",
    "default: 0.25",
  ]),
  wish("Let the model of the chat try harder before it gives up.", parameters("chat_model"), [
    "default: 4",
    "default: 6",
  ]),
  wish("Some of our teams would go for a dozen rounds with the model.", parameters("chat_model"), [
    "max: 8",
    "max: 10",
  ]),
  wish("Slightly longer remarks about the last answer get lost in the chat.", parameters("chat_model"), [
    "default: 6",
    "default: 8",
  ]),
  wish("The chat words one and the same thing differently each time.", parameters("chat_model"), [
    "default: 0.2",
    "default: 0",
  ]),
  wish("Artifacts are fed rubbish; somebody should look at what goes in.", parameters("executor"), [
    'default: "off"',
    'default: "on"',
  ]),
  wish("I never find the decision tool by how it is called.", DECIDE, [
    "title: Evaluate a decision",
    "title: Evaluate a payoff table",
  ]),
  wish("Our lists of options for a decision have eighty entries.", DECIDE, [
    "description: What can be chosen.\n      minItems: 1\n      maxItems: 50",
    "description: What can be chosen.\n      minItems: 1\n      maxItems: 80",
  ]),
  wish("A turn of the chat is dearer for us than two.", CHAT, ["units: 2", "units: 3"]),
  wish("A turn of the chat hardly costs us anything.", CHAT, ["units: 2", "units: 1"]),
  wish("Our auditors should see what runs did, and the evidence.", POLICY, [
    "  # For whoever keeps a graph of beliefs",
    "  auditor:\n    - tool:run_events\n    - tool:artifact_read\n  # For whoever keeps a graph of beliefs",
  ]),
  wish("Whoever approves wants to stop a task that went wrong, too.", POLICY, [
    "    - tool:run_report\n    - tool:approval_write",
    "    - tool:run_report\n    - tool:task_cancel\n    - tool:approval_write",
  ]),
  wish("Workers cannot run our tests with npm.", POLICY, [
    "  - program: git\n",
    "  - program: npm\n    arguments: [test]\n  - program: git\n",
  ]),
  wish("Production runs on the very first version, which people look for by that word.", "versions.yaml", [
    "  stable: 0.1.0\n",
    "  stable: 0.1.0\n  production: 0.1.0\n",
  ]),
  wish("Thirty samples say nothing about the weather.", parameters("weather"), ["minSamples: 30", "minSamples: 100"]),
  wish("Too many callers get the worse kind of weather.", parameters("weather"), ["share: 0.2", "share: 0.1"]),
  wish("The search for a better threshold costs too many conversations.", parameters("chat"), [
    "share: 0.1",
    "share: 0.05",
  ]),
  wish("We are stricter about errors while we try out the weather.", parameters("weather"), [
    "maxErrorRate: 0.1",
    "maxErrorRate: 0.05",
  ]),
  wish("Readers of the runner's instructions ask how old the data is.", "manifests/runner/server.yaml", [
    "Open-Meteo.com (CC BY 4.0).",
    "Open-Meteo.com (CC BY 4.0), updated hourly.",
  ]),
  wish("Big decisions run out of memory everywhere.", "manifests/agent.yaml", ["memory: 64", "memory: 128"]),
  wish("The weather promises logs that it has never given anybody.", WEATHER, [
    "    logs_uri:\n      type: string\n      format: uri\n      description: Optional URI for debug logs related to this invocation.\n",
    "",
  ]),
  wish("Nobody knows which places the weather finds.", WEATHER, [
    "City name or 'lat,long' coordinates.",
    "City name, with its country where there are several, or 'lat,long' coordinates.",
  ]),
  wish("It is nowhere said that the chat remembers.", CHAT, [
    "and puts results into words.",
    "and puts results into words. It remembers the conversation.",
  ]),
  wish("Show people what becomes of a latitude beyond the pole in the south.", WEATHER, [
    "  - description: Latitudes end at the poles.",
    "  - description: Latitudes end at the south pole as well.\n    input:\n      location: -91,0\n    error: BAD_REQUEST\n  - description: Latitudes end at the poles.",
  ]),
  wish("What the margin of the chat is about is hard to read.", parameters("chat"), [
    "when it is closer, the chat asks which one is meant.",
    "when it is closer, the chat asks which tool is meant.",
  ]),
  {
    message: "A page about asking for the weather well would help newcomers.",
    plan: {
      change: {
        title: "Say how to ask for the weather",
        changes: ["There is a page about asking for the weather."],
        edits: [
          {
            path: "docs/asking-for-weather.md",
            text: "# Asking for the weather\n\nName the place and, if it is not now, the hour.\n",
          },
        ],
      },
    },
  },
  wish("Whoever reads the weather's code wonders about the hour in it.", "tools/runner/get_weather.ts", [
    "const HOUR = 3_600_000;",
    "/** Milliseconds. */\nconst HOUR = 3_600_000;",
  ]),
];

/** A wish whose plan is wrong at first, as middling models are; it is put right where an answer names what is wrong. */
export interface Stumble {
  readonly kind: string;
  readonly message: string;
  readonly drafts: readonly ScriptedReply[];
  /** What the answer to each draft has to say for the next one to come; a model that is not told so repeats itself. */
  readonly needs: readonly RegExp[];
}

const stumble = (
  kind: string,
  message: string,
  path: string,
  tries: readonly (readonly Replacement[])[],
  ...needs: readonly RegExp[]
): Stumble => ({ kind, message, drafts: tries.map((one) => submit({ change: toPlan(path, one) })), needs });

const KELVIN = toPlan(WEATHER, [["[metric, imperial]", "[metric, imperial, kelvin]"]]);
const PRODUCTION = ["  stable: 0.1.0\n", "  stable: 0.1.0\n  production: 0.1.0\n"] as const;

const HOUR = "const HOUR = 3_600_000;";

export const STUMBLES: readonly Stumble[] = [
  stumble("white space", "Kelvin, for whoever measures the weather.", WEATHER, [
    [["enum:   [metric,  imperial]", "enum: [metric, imperial, kelvin]"]],
  ]),
  stumble("white space", "Eighty options are to be told apart in a decision.", DECIDE, [
    [
      [
        "description: What can be chosen.\nminItems: 1\nmaxItems: 50",
        "description: What can be chosen.\nminItems: 1\nmaxItems: 80",
      ],
    ],
  ]),
  stumble("quoting", "A line about what units mean in the weather, for puzzled people.", WEATHER, [
    [["|       enum: [metric, imperial]", "|       description: Unit system.\n|       enum: [metric, imperial]"]],
  ]),
  stumble(
    "quoting",
    "Nobody should settle the weather on so thin a basis; a hundred would be firmer.",
    parameters("weather"),
    [[["> minSamples: 30", "> minSamples: 100"]]],
  ),
  stumble(
    "stale text",
    "Rankine for the engineers among those who ask for weather.",
    WEATHER,
    [
      [["enum: [metric, imperial, celsius]", "enum: [metric, imperial, rankine]"]],
      [["[metric, imperial]", "[metric, imperial, rankine]"]],
    ],
    /enum: \[metric, imperial\]/,
  ),
  stumble(
    "stale text",
    "Slow lines need more of a minute in the chat.",
    CHAT,
    [[["  # Some rounds with a model.\n  time: 30000", "  time: 90000"]], [["time: 60000", "time: 90000"]]],
    /time: 60000/,
  ),
  stumble(
    "type error",
    "The code of the weather should name its hour better.",
    "tools/runner/get_weather.ts",
    [[[HOUR, 'const HOUR: number = "3600000";']], [[HOUR, "/** Milliseconds. */\nconst HOUR = 3_600_000;"]]],
    /get_weather\.ts:\d+:\d+: .*TS2322/,
  ),
  stumble(
    "type error",
    "A word about the hour in the weather's code, please, for the next reader.",
    "tools/runner/get_weather.ts",
    [[[HOUR, "const HOUR = MINUTE * 60;"]], [[HOUR, "/** In milliseconds. */\nconst HOUR = 3_600_000;"]]],
    /get_weather\.ts:\d+:\d+: .*TS2304/,
  ),
  stumble(
    "forgotten example",
    "Names of places beyond fifteen letters are slips of the pen in the weather.",
    WEATHER,
    [
      [["coordinates.\n", "coordinates.\n      maxLength: 15\n"]],
      [
        ["coordinates.\n", "coordinates.\n      maxLength: 15\n"],
        ["location: Nowhere-upon-Nothing", "location: Nowhereville"],
      ],
    ],
    /get_weather\.yaml:\d+:\d+: .*(?:example|location)/i,
  ),
  stumble(
    "invented field",
    "The weather is the most important thing that we have.",
    WEATHER,
    [[["title: Weather\n", "title: Weather\npriority: high\n"]], [["title: Weather\n", "title: Weather first\n"]]],
    /priority/,
  ),
  stumble(
    "invented field",
    "We want far more to go on in each arm before anything about the weather is settled.",
    parameters("weather"),
    [[["minSamples: 30", "minimumSamples: 100"]], [["minSamples: 30", "minSamples: 100"]]],
    /minimumSamples/,
  ),
  stumble(
    "several",
    "More than metric and imperial, for the physicists of the weather.",
    WEATHER,
    [
      [["enum: [si, imperial]", "enum: [metric, imperial, kelvin]"]],
      [["[metric, imperial]", "[metric, imperial, kelvin]\n      unitsOf: physics"]],
      [["[metric, imperial]", "[metric, imperial, kelvin]"]],
    ],
    /enum: \[metric, imperial\]/,
    /unitsOf/,
  ),
  {
    kind: "prose",
    message: "Kelvin would be kind to the chemists among those who ask for weather.",
    drafts: [{ text: "I would add kelvin to the units of the weather." }, submit({ change: KELVIN })],
    needs: [/call `submit_plan`/],
  },
  {
    kind: "wrong path",
    message: "Chemists among those who ask for weather count from absolute zero.",
    drafts: [
      submit({ change: { ...KELVIN, edits: [{ ...KELVIN.edits[0], path: "manifests/weather.yaml" }] } }),
      submit({ change: KELVIN }),
    ],
    needs: [/There is no file .?manifests\/weather\.yaml/],
  },
  stumble(
    "ambiguous text",
    "The chat takes a remark of seven words for a new matter.",
    parameters("chat_model"),
    [[["    default: ", "    default: 8 # "]], [["    max: 12\n    default: 6", "    max: 12\n    default: 8"]]],
    /more than once, in lines 8, 15, 22/,
  ),
  stumble(
    "own version",
    "The weather could do with a grander headline.",
    WEATHER,
    [
      [["title: Weather\nversion: 1.0.0", "title: Weather of the world\nversion: 1.1.0"]],
      [["title: Weather\n", "title: Weather of the world\n"]],
    ],
    /leave `version` as it is/,
  ),
  {
    kind: "form",
    message: "Physicists would have the weather count from absolute zero.",
    drafts: [submit({ change: { title: KELVIN.title, edits: KELVIN.edits } }), submit({ change: KELVIN })],
    needs: [/changes/],
  },
  {
    kind: "form",
    message: "Weather from absolute zero upwards is what our cryogenics team misses.",
    drafts: [submit({ change: KELVIN, reject: { reason: "None.", question: "None?" } }), submit({ change: KELVIN })],
    needs: [/The plan/],
  },
  stumble(
    "broken YAML",
    "Our weather people in Texas swear by Rankine.",
    WEATHER,
    [[["[metric, imperial]", "[metric, imperial, rankine"]], [["[metric, imperial]", "[metric, imperial, rankine]"]]],
    /cannot be read/,
  ),
  stumble(
    "wrong example",
    "Show newcomers what becomes of a longitude east of the date line in the weather.",
    WEATHER,
    [
      [
        [
          "  - description: Latitudes",
          "  - input:\n      location: 0,181\n    error: NOT_FOUND\n  - description: Latitudes",
        ],
      ],
      [
        [
          "  - description: Latitudes",
          "  - input:\n      location: 0,181\n    error: BAD_REQUEST\n  - description: Latitudes",
        ],
      ],
    ],
    /get_weather\.yaml:\d+:\d+: .*BAD_REQUEST/,
  ),
  {
    kind: "unknown experiment",
    message: "Our phones show but a line or two of what the chat has to say.",
    drafts: ["reply_length", "replies"].map((experiment) =>
      submit({ tune: { adjustments: [{ kind: "promote", experiment, values: { length: "brief" } }] } }),
    ),
    needs: [/Experiments of this version are .*`replies`/],
  },
  {
    kind: "refused",
    message: "What production runs on goes by that very word among our operators.",
    drafts: [
      submit({ change: toPlan("versions.yaml", [["current: 0.1.0", "current: 0.2.0"], PRODUCTION]) }),
      submit({ change: toPlan("versions.yaml", [PRODUCTION]) }),
    ],
    needs: [/labels/],
  },
  {
    kind: "refused",
    message: "Kelvins are what the labs among our weather callers reckon in.",
    drafts: [
      submit({
        change: { ...KELVIN, edits: [...KELVIN.edits, { path: ".github/workflows/kelvin.yml", text: "on: push\n" }] },
      }),
      submit({ change: KELVIN }),
    ],
    needs: [/kelvin\.yml/],
  },
  {
    kind: "tried first",
    message: "Labs who ask for weather would be glad of kelvins.",
    drafts: [
      { calls: [{ name: "try_plan", arguments: { change: toPlan(WEATHER, [["[metric]", "[metric, kelvin]"]]) } }] },
      { calls: [{ name: "try_plan", arguments: { change: KELVIN } }] },
      submit({ change: KELVIN }),
    ],
    needs: [/enum: \[metric, imperial\]/, /The draft holds/],
  },
];
