import type { Handler } from "cairn-gitops/host-api";

const enrolPupil: Handler<{ form: string; guardian_email: string }> = async (input, ctx) => {
  const pupil_id = `P-${String(20_000 + Math.floor(ctx.random() * 70_000))}`;
  await ctx.state.set(["pupil", pupil_id], input);
  return { pupil_id };
};

export default enrolPupil;
