import CommentNode from './node-html-parser__dist__nodes__comment.cjs';
import HTMLElement, { type Options } from './node-html-parser__dist__nodes__html.cjs';
import Node from './node-html-parser__dist__nodes__node.cjs';
import TextNode from './node-html-parser__dist__nodes__text.cjs';
import NodeType from './node-html-parser__dist__nodes__type.cjs';
import baseParse from './node-html-parser__dist__parse.cjs';
import valid from './node-html-parser__dist__valid.cjs';
export type { Options } from './node-html-parser__dist__nodes__html.cjs';
export { parse, HTMLElement, CommentNode, valid, Node, TextNode, NodeType };
declare function parse(data: string, options?: Partial<Options>): HTMLElement;
export default parse;
declare namespace parse {
    export { baseParse as parse };
    export { HTMLElement };
    export { CommentNode };
    export { valid };
    export { Node };
    export { TextNode };
    export { NodeType };
}
