import type { Handler } from "cairn-gitops/host-api";

const ARTICLES = [
  { title: "Reset your password", words: ["password", "forgot", "reset"], path: "reset-password" },
  { title: "Read your invoice", words: ["invoice", "charged", "bill"], path: "read-invoice" },
];

const suggestArticles: Handler<{ question: string; language: string; count: number }> = (input, ctx) => {
  const least = Number(ctx.params["suggestions"]?.["min_score"] ?? 0.3);
  const asked = input.question.toLowerCase();
  const articles = ARTICLES.map(({ title, words, path }) => ({
    title,
    url: `https://help.desk.example/${input.language}/${path}`,
    score: Math.min(1, words.filter((word) => asked.includes(word)).length / 2),
  }));
  return { articles: articles.filter(({ score }) => score > 0 && score >= least).slice(0, input.count) };
};

export default suggestArticles;
