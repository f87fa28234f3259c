export default class VoidTag {
    addClosingSlash: boolean;
    private voidTags;
    constructor(addClosingSlash?: boolean, tags?: string[]);
    formatNode(tag: string, attrs: string, innerHTML: string): string;
    isVoidElement(tag: string): boolean;
}
