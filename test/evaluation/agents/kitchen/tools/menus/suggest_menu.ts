import type { Handler } from "cairn-gitops/host-api";

interface Input {
  occasion: string;
  courses: number;
  budget?: number;
  drinks: boolean;
}

const MIDDLE = ["trout", "roast", "stew"];

const suggestMenu: Handler<Input> = (input, ctx) => {
  const { opener = "soup", richness = 0.5, sweet_end = "cake" } = ctx.params["menu_shape"] ?? {};
  const all = [String(opener), ...MIDDLE.slice(0, Math.max(0, input.courses - 2)), String(sweet_end)];
  const menu = all.slice(0, input.courses);
  const extra = (input.drinks ? 9 : 0) + (input.occasion === "wedding" ? 4 : 0);
  const per_head = Math.round((menu.length * (5 + 2 * Number(richness)) + extra) * 100) / 100;
  if (per_head > (input.budget ?? Number.POSITIVE_INFINITY)) {
    throw ctx.fail("UNPROCESSABLE", `That menu costs ${per_head} euros a head.`);
  }
  return { menu, per_head };
};

export default suggestMenu;
