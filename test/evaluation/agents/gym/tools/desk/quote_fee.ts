import type { Handler } from "cairn-gitops/host-api";

interface Input {
  plan: string;
  months: number;
  age_group: string;
  people: number;
  extras?: readonly { item: string; months: number }[];
}

/** Euros a month. */
const PLANS: Readonly<Record<string, number>> = { off_peak: 29, full: 45, student: 33 };
const EXTRAS: Readonly<Record<string, number>> = { sauna: 12, towels: 5, drinks: 7 };
const AGES: Readonly<Record<string, number>> = { adult: 1, junior: 0.7, senior: 0.85 };
const STEPS: Readonly<Record<string, number>> = { cent: 0.01, half_euro: 0.5, euro: 1 };

const quoteFee: Handler<Input> = ({ plan, months, age_group, people, extras = [] }, ctx) => {
  const {
    joining_fee = 29,
    group_discount = 0.1,
    long_from_months = 12,
    rounding = "cent",
  } = ctx.params["fee_book"] ?? {};
  const step = STEPS[String(rounding)] ?? 0.01;
  const off = (people > 1 ? 1 - Number(group_discount) : 1) * (months >= Number(long_from_months) ? 0.9 : 1);
  const fee = (PLANS[plan] ?? 45) * (AGES[age_group] ?? 1) * people * off;
  const monthly = Math.round(Math.round(fee / step) * step * 100) / 100;
  const more = extras.reduce((sum, one) => sum + (EXTRAS[one.item] ?? 0) * one.months, 0);
  const total = Math.round((monthly * months + more + Number(joining_fee) * people) * 100) / 100;
  return { monthly, total };
};

export default quoteFee;
