import type { Handler } from "cairn-gitops/host-api";

interface Input {
  absent_teacher: string;
  subject?: string;
  candidates: number;
  exclude?: string[];
  part_timers: boolean;
}

const STAFF = [
  { teacher: "Solis", subjects: ["music", "maths"], knows: true, stepped_in: 1, part_time: false },
  { teacher: "Wenzel", subjects: ["german"], knows: true, stepped_in: 0, part_time: true },
  { teacher: "Marek", subjects: ["sports"], knows: false, stepped_in: 3, part_time: false },
  { teacher: "Thiele", subjects: ["maths", "science"], knows: false, stepped_in: 2, part_time: true },
];

const findCover: Handler<Input> = (input, ctx) => {
  const { prefer = "same_subject", weekly_cap = 4, fairness = 0.3 } = ctx.params["cover"] ?? {};
  const rated = STAFF.filter(
    ({ teacher, stepped_in, part_time }) =>
      teacher !== input.absent_teacher &&
      !(input.exclude ?? []).includes(teacher) &&
      stepped_in <= Number(weekly_cap) &&
      (input.part_timers || !part_time),
  ).map(({ teacher, subjects, knows, stepped_in }) => {
    const same = input.subject !== undefined && subjects.includes(input.subject);
    const why = same ? "same_subject" : knows ? "knows_form" : "free_period";
    return { teacher, why, rate: (why === prefer ? 1 : 0) - stepped_in * Number(fairness) };
  });
  rated.sort((a, b) => b.rate - a.rate);
  return { candidates: rated.slice(0, input.candidates).map(({ teacher, why }) => ({ teacher, why })) };
};

export default findCover;
