import type { Handler } from "cairn-gitops/host-api";

interface Input {
  form: string;
  day?: string;
  layout: string;
  from_period: number;
}

const LESSONS = [
  { form: "7b", day: "monday", period: 1, subject: "maths", teacher: "Brandt", room: "204" },
  { form: "7b", day: "monday", period: 3, subject: "music", teacher: "Solis", room: "music" },
  { form: "7b", day: "tuesday", period: 2, subject: "german", teacher: "Wenzel", room: "204" },
  { form: "5a", day: "friday", period: 4, subject: "sports", teacher: "Marek", room: "gym" },
];

const showTimetable: Handler<Input> = (input, ctx) => {
  const own = LESSONS.filter(({ form }) => form === input.form);
  if (own.length === 0) throw ctx.fail("NOT_FOUND", `There is no form ${input.form} this year.`);
  const lessons = own
    .filter(({ day, period }) => (input.day === undefined || day === input.day) && period >= input.from_period)
    .map(({ day, period, subject, teacher, room }) => ({ day, period, subject, teacher, room }));
  if (input.layout === "by_subject") lessons.sort((a, b) => a.subject.localeCompare(b.subject));
  if (input.layout === "by_teacher") lessons.sort((a, b) => a.teacher.localeCompare(b.teacher));
  return { lessons };
};

export default showTimetable;
