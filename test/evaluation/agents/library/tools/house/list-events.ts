import type { Handler } from "cairn-gitops/host-api";

interface Input {
  theme?: string;
  ahead: number;
  branch?: string;
  minAge?: number;
  freeOnly: boolean;
  most: number;
}

const EVENTS = [
  {
    name: "Tales under the lime tree",
    theme: "storyTime",
    branch: "central",
    inDays: 3,
    age: 4,
    euros: 0,
  },
  {
    name: "Bind your own notebook",
    theme: "workshop",
    branch: "hillside",
    inDays: 9,
    age: 14,
    euros: 12,
  },
  {
    name: "Quist reads Quist",
    theme: "reading",
    branch: "harbour",
    inDays: 20,
    age: 16,
    euros: 5,
  },
];

const listEvents: Handler<Input> = (input) => ({
  events: EVENTS.filter(
    (one) =>
      (input.theme === undefined || one.theme === input.theme) &&
      one.inDays <= input.ahead &&
      (input.branch === undefined || one.branch === input.branch) &&
      one.age >= (input.minAge ?? 0) &&
      (!input.freeOnly || one.euros === 0),
  )
    .slice(0, input.most)
    .map(({ name, theme, inDays, euros }) => ({ name, theme, inDays, euros })),
});

export default listEvents;
