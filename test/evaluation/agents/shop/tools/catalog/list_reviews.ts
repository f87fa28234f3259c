import type { Handler } from "cairn-gitops/host-api";

interface Review {
  rating: number;
  text: string;
  author: string;
}

const REVIEWS: Readonly<Record<string, readonly (Review & { verified: boolean })[]>> = {
  "LAMP-0101": [
    { rating: 5, text: "Bright and pretty.", author: "Ines", verified: true },
    { rating: 3, text: "The cable is short.", author: "Tom", verified: true },
    { rating: 1, text: "Never arrived.", author: "Anon", verified: false },
  ],
};

const listReviews: Handler<{ sku: string; min_rating: number; limit: number; verified_only: boolean }> = (input) => ({
  reviews: (REVIEWS[input.sku] ?? [])
    .filter(({ rating, verified }) => rating >= input.min_rating && (verified || !input.verified_only))
    .slice(0, input.limit)
    .map(({ rating, text, author }) => ({ rating, text, author })),
});

export default listReviews;
