import { type Options } from './node-html-parser__dist__nodes__html.cjs';
/**
 * Parses HTML and returns a root element
 * Parse a chuck of HTML source.
 */
export default function valid(data: string, options?: Partial<Options>): boolean;
