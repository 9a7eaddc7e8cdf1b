/** What the lists and objects of JSON text hold, as it is written: nothing is built from it. */
import { JsonLexer, kinds } from './json-lexer.js';

/** An element of a list or a member of an object; offsets into the text. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
  readonly key?: { readonly text: string; readonly offset: number };
}

/** The parts of each list and object by the offset at which it begins, in one pass over JSON. */
export function partsByOffset(json: string): ReadonlyMap<number, readonly JsonPart[]> {
  const lexer = new JsonLexer(json);
  const all = new Map<number, JsonPart[]>();
  const open: { start: number; key: JsonPart['key'] }[] = [];
  let key: JsonPart['key'];
  const add = (start: number, named: JsonPart['key']): void => {
    const parts = all.get(open.at(-1)?.start ?? -1);
    parts?.push({ start, end: lexer.end, ...(named && { key: named }) });
  };
  for (let kind = lexer.next(); kind !== kinds.end; kind = lexer.next()) {
    const { start, end } = lexer;
    if (kind === kinds.openList || kind === kinds.openObject) {
      all.set(start, []);
      open.push({ start, key });
      key = undefined;
    } else if (kind === kinds.closeList || kind === kinds.closeObject) {
      const closed = open.pop();
      if (closed !== undefined) add(closed.start, closed.key);
    } else if (
      kind === kinds.string &&
      key === undefined &&
      json[open.at(-1)?.start ?? 0] === '{'
    ) {
      key = { text: JSON.parse(json.slice(start, end)) as string, offset: start };
    } else if (kind !== kinds.comma && kind !== kinds.colon) {
      add(start, key);
      key = undefined;
    }
  }
  return all;
}
