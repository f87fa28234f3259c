/** Items that are written in one commit. */
const PAGE_ITEMS = 500;
/** Characters of their JSON after which a page is full. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Gathers items into pages that one commit can hold. */
export async function* toPages<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let page: Item[] = [];
  let characters = 0;
  for await (const item of items) {
    page.push(item);
    characters += JSON.stringify(item).length;
    if (page.length < PAGE_ITEMS && characters < PAGE_CHARACTERS) continue;
    yield page;
    [page, characters] = [[], 0];
  }
  if (page.length > 0) yield page;
}
