import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  instructor: string;
}

// The instructor reads the request as it was made.
const bookLesson: Handler<Input> = async (input, ctx) => {
  const lessons = await ctx.state.scan(["lesson", input.day]);
  const lesson_no = `L-${input.day.replaceAll("-", "")}-${lessons.length + 1}`;
  await ctx.state.set(["lesson", input.day, lesson_no], input);
  return { lesson_no, status: input.instructor === "any" ? "requested" : "booked" };
};

export default bookLesson;
