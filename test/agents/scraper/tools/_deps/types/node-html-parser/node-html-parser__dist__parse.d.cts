export { parse as default } from './node-html-parser__dist__nodes__html.cjs';
