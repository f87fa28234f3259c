// Written by `cairn deps`.
export * from "./types/node-html-parser/node-html-parser__dist__index.cjs";
export { default } from "./types/node-html-parser/node-html-parser__dist__index.cjs";
