import HTMLElement from './node-html-parser__dist__nodes__html.cjs';
import Node from './node-html-parser__dist__nodes__node.cjs';
import NodeType from './node-html-parser__dist__nodes__type.cjs';
export default class CommentNode extends Node {
    rawText: string;
    rawTagName: string;
    clone(): CommentNode;
    constructor(rawText: string, parentNode?: HTMLElement | null, range?: [number, number], rawTagName?: string);
    /**
     * Node Type declaration.
     * @type {Number}
     */
    nodeType: NodeType;
    /**
     * Get unescaped text value of current node and its children.
     * @return {string} text content
     */
    get text(): string;
    toString(): string;
}
