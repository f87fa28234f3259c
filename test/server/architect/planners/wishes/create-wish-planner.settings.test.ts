import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../helpers/open-agents.ts";

const { planOf, changesOf } = await openAgents([
  "example",
  "clinic",
  "farm",
  "freight",
  "library",
  "museum",
  "school",
  "shop",
  "tickets",
]);

describe("[A9] labels", () => {
  test.each([
    ["farm", "Can we have a label beta that points to the current version?", "The label `beta` stands for 1.6.0."],
    [
      "tickets",
      "We need a label training that stands for the current version",
      "The label `training` stands for 2.1.1.",
    ],
    ["library", "The counter label can go to 2.3.0 now", "The label `counter` stands for 2.3.0; it stood for 2.2.0."],
    ["freight", "steady can go up to the current release", "The label `steady` stands for 1.2.0; it stood for 1.1.0."],
    ["farm", "The label lts can go", "The label `lts` stands for no version any more."],
  ])("stand for the version that is named, or the current one (%s: %s)", async (agent, message, change) => {
    expect(await changesOf(agent, message)).toBe(change);
  });

  test.each([
    ["shop", "Rename the label stable to live", "live", "1.1.0", "stable"],
    ["clinic", 'Call the label pilot "trial" instead', "trial", "1.2.0", "pilot"],
    ["freight", "Our label archive ought to be named attic from now on", "attic", "1.0.0", "archive"],
    ["clinic", "Das Label pilot soll künftig erprobung heißen", "erprobung", "1.2.0", "pilot"],
    ["example", "label stable -> live", "live", "0.1.0", "stable"],
  ])("keep their version under another name (%s: %s)", async (agent, message, name, target, old) => {
    expect(await changesOf(agent, message)).toBe(
      `The label \`${name}\` stands for ${target}, and \`${old}\` for no version any more.`,
    );
  });

  test.each([
    ["farm", "Rename the label lts to stable"],
    ["shop", "Don't rename the label stable to live"],
    ["tickets", "If we rename the label pilot to trial, what breaks?"],
    ["example", "The label stable was renamed to live once"],
    ["farm", "Did the label lts ever point to 1.5.2?"],
    ["farm", "the lts label is for people who cannot upgrade"],
    ["shop", "stable is behind the current version"],
    ["farm", "label stable for people who cannot move to the current version"],
  ])("stay where a name is taken, or nothing is asked for (%s: %s)", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("[A9] roles", () => {
  test.each([
    [
      "tickets",
      "Create a role night-shift with ticket:read and ticket:write",
      "There is a role `night-shift`, which grants `ticket:read`, `ticket:write`.",
    ],
    [
      "museum",
      "Create a role night-porter with foyer/see and collection/read",
      "There is a role `night-porter`, which grants `foyer/see`, `collection/read`.",
    ],
    [
      "school",
      "The canteen has no business ordering lunch, leave that role with lunch:read only",
      "The role `canteen` grants only `lunch:read`, and no longer `lunch:order`.",
    ],
    [
      "example",
      "Steward should keep architect:chat only",
      "The role `steward` grants only `architect:chat`, and no longer `architect:tune`.",
    ],
    [
      "museum",
      "friends-office has no business with foyer/see",
      "The role `friends-office` no longer grants `foyer/see`.",
    ],
    [
      "example",
      "Take the repository tools away from the worker role",
      "The role `worker` no longer grants `tool:repository_*`.",
    ],
    [
      "museum",
      "Take all of the foyer rights away from the counter role",
      "The role `counter` no longer grants `foyer/*`.",
    ],
    ["example", "Give the operator role the git tools", "The role `operator` grants `tool:git_*`."],
    ["example", "the maintainer role can go, operators have migrate_* anyway", "The role `maintainer` is gone."],
    ["school", "The canteen role can go, the secretary does that now", "The role `canteen` is gone."],
  ])("get what is said of them (%s: %s)", async (agent, message, change) => {
    expect(await changesOf(agent, message)).toBe(change);
  });

  test.each([
    ["example", "The judge role should not have tuner.propose only"],
    ["example", "Should the judge role have tuner.propose only?"],
    ["example", "Only the judge role should have tuner.propose"],
    ["example", "The judge role should have tuner.propose only for experiments"],
    ["school", "The canteen role can go, the secretary has to agree first"],
    ["school", "The teacher role should have rooms:book, but only for the gym"],
  ])("keep what they have where it is not certain what is meant (%s: %s)", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("[A9] policies", () => {
  test.each([
    ["museum", "Put api.museumtime.example on the egress list", "Tools may reach `api.museumtime.example`."],
    [
      "clinic",
      "We changed labs; labs.helixvet.example has to come off the egress list",
      "Tools can no longer reach `labs.helixvet.example`.",
    ],
    [
      "example",
      "Runs should be able to execute npm ci, with registry.npmjs.org as its only host",
      "Runs may execute `npm ci`, and it may reach `registry.npmjs.org`.",
    ],
    [
      "museum",
      "Our callers need 180 days' notice before something ends, put that into the policy",
      "The notice in days of the policy `machinery` is `180`; it was `45`.",
    ],
    [
      "museum",
      "Only patches should land without somebody's approval",
      "The largest change that lands without an approval, in the policy `machinery`, is `patch`; it was `minor`.",
    ],
  ])("get what is said of them (%s: %s)", async (agent, message, change) => {
    expect(await changesOf(agent, message)).toBe(change);
  });

  test("have hosts in the one that lists some", async () => {
    const plan = await planOf("museum", "Put api.museumtime.example on the egress list");
    expect(plan?.kind === "change" ? [...plan.files.keys()] : plan).toEqual(["manifests/policies/machinery.yaml"]);
  });

  test.each([
    ["museum", "Don't put api.museumtime.example on the egress list"],
    ["museum", "api.museumtime.example was put on the egress list last year"],
    ["farm", "cache.anvil.example should be on the egress list by Friday"],
    ["example", "Runs should not execute npm ci with registry.npmjs.org as its host"],
    ["example", "Runs should be able to execute npm ci, but not to reach registry.npmjs.org"],
    ["museum", "A renewal notice should go out 6 weeks before the end"],
  ])("stay where nothing is asked of them for sure (%s: %s)", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("[A9] workflows and experiments", () => {
  test.each([
    [
      "example",
      "Leases in the change workflow should last 10 minutes",
      "The lease in seconds of the workflow `change` is `600`; it was `300`.",
    ],
    [
      "example",
      "A task of the change workflow should be tried five times at most",
      "The number of attempts of the workflow `change` is `5`; it was `3`.",
    ],
    [
      "farm",
      "Widen the window of the scheduler experiment to the last 1200 rewards",
      "The window of the experiment `scheduler` is `1200`; it was `800`.",
    ],
    [
      "school",
      "Late rewards of the letters experiment should count",
      "The treatment of late rewards of the experiment `letters` is `count`; it was `drop`.",
    ],
    ["example", "Set the population of the chat experiment to 12", "The population of the experiment `chat` is `12`."],
  ])("have settings that are named in words of their own (%s: %s)", async (agent, message, change) => {
    expect(await changesOf(agent, message)).toBe(change);
  });

  test.each([
    ["example", "The lease of the change workflow was 10 minutes last week"],
    ["farm", "Should the window of the scheduler experiment be 1200?"],
    ["example", 'Change the workflow server\'s title to "Flow"'],
    ["tickets", "Rewards of the suggestions experiment should go from 0 to 5"],
  ])("stay as they are where nothing is asked for, or it is so already (%s: %s)", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test.each([
    ["museum", "All visitors should get the arm crowd of tour_order now", "tour_order", "crowd"],
    ["museum", "ledger has won, so every renewal notice should be written that way now", "renewals", "ledger"],
    ["farm", "packed won the scheduler experiment, so all builds should get it", "scheduler", "packed"],
  ])("end with what everybody gets (%s: %s)", async (agent, message, experiment, arm) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "tune" ? plan.adjustments : plan).toEqual([{ kind: "promote", experiment, arm }]);
  });

  test.each([
    ["museum", "If ledger wins, every renewal notice should be written that way"],
    ["museum", "All visitors like the arm crowd of tour_order"],
    ["shop", "Everybody says discovery has won"],
    ["shop", "All customers get discovery on Fridays"],
    ["tickets", "Every ticket should be closed that way, the strict arm has won"],
  ])("go on where nothing is given to all (%s: %s)", async (agent, message) => {
    expect((await planOf(agent, message))?.kind).not.toBe("tune");
  });
});

describe("[A9] resources and prompts", () => {
  test.each([
    [
      "museum",
      'docs://handling says "Wear nitrile gloves." It should say "Wash your hands and wear nitrile gloves."',
      'The resource `handling` of the server `collection` says "Wash your hands and wear nitrile gloves." where it said "Wear nitrile gloves.".',
    ],
    [
      "freight",
      '"no live animals" should read "no live animals but bees"',
      'The resource `prohibited` of the server `papers` says "no live animals but bees" where it said "no live animals".',
    ],
    [
      "museum",
      'In the wall-text prompt, replace "three objects" with "five objects"',
      'The prompt `wall-text` of the server `collection` says "five objects" where it said "three objects".',
    ],
    [
      "museum",
      'The handling resource should be titled "How to handle objects"',
      "The title of the resource `handling` of the server `collection` is `How to handle objects`.",
    ],
    [
      "museum",
      'docs://opening-hours should be described as "When the museum is open."',
      "The description of the resource `opening-hours` of the server `foyer` is `When the museum is open.`.",
    ],
    [
      "example",
      "In the weather-for-plans prompt the day should be optional",
      "`day` of the prompt `weather-for-plans` is optional.",
    ],
    [
      "school",
      'day-plan should ask "Which day?" when the day is missing',
      'Where `day` of the prompt `day-plan` is missing, people are asked "Which day?".',
    ],
  ])("read otherwise (%s: %s)", async (agent, message, change) => {
    expect(await changesOf(agent, message)).toBe(change);
  });

  test.each([
    ["museum", 'Somebody claims that docs://handling says "Wear nitrile gloves." instead of "Wear cotton gloves."'],
    ["museum", 'Add a resource named "handling-2" next to docs://handling'],
    ["freight", 'Please mention "No weapons" next to "No knives"'],
  ])("stay where nothing takes the place of what they say (%s: %s)", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});

describe("[A9] a bare limit", () => {
  test.each(["farm", "museum", "shop", "tickets", "school"])("is asked for (%s)", async (agent) => {
    expect((await planOf(agent, "Please double the limit."))?.kind).toBe("reject");
  });

  test.each([
    ["Set `limit` to at most 80", "The maximum of `limit` in the input of `pupils.find_pupils` is `80`; it was `60`."],
    [
      "Please double the default of the limit argument",
      "The default of `limit` in the input of `pupils.find_pupils` is `40`; it was `20`.",
    ],
  ])("is meant where it is marked (%s)", async (message, change) => {
    expect(await changesOf("school", message)).toBe(change);
  });
});
