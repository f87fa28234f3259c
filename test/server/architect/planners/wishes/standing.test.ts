import { expect, test } from "vitest";
import { tellsOfPast } from "../../../../../server/architect/planners/wishes/standing.ts";

test.each([
  "Last year the external workflow allowed 5 attempts instead of 3",
  "take_order may have taken 10 seconds, I looked away",
  "In list-events, most go up to 40 euros by now.",
  "2.1.1 läuft seit Wochen stable, danke dafür!",
  "El año pasado el límite era 20",
  "Pour renewal_notice, le canal par défaut était letter l'an dernier.",
  "去年 flag_defect 的 severity 默认值是 3",
])("%s: tells of the past", (text) => {
  expect(tellsOfPast(text)).toBe(true);
});

test.each([
  "Last year it was 5, set it to 3 again",
  "By now 40 euros should be allowed",
  "Gib ihm wieder den Titel vom letzten Jahr",
  "Il faut remettre la valeur de l'an dernier, elle doit revenir",
  "请把它改回去年的值",
  "The tool must have a title",
])("%s: wants something now", (text) => {
  expect(tellsOfPast(text)).toBe(false);
});
