import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { keywordKinds, type Kind } from '../../crd/keywords.js';
import { schemasIn, type TypedText } from '../../crd/typed-text.js';
import { GoReader } from '../../crd/go-values.js';
import { goText } from './go-value.js';

/** Longest text of one schema, in characters; a branch of a real `oneOf` has about a thousand. */
const longestText = 65_536;

export class ComparedSides {
  /** Characters left for all texts together; a schema that is searched counts as one. */
  #left = 1024 * 1024;

  constructor(
    readonly old: TypedText,
    readonly next: TypedText,
  ) {}

  /** A schema whose text would contain an address, or that no budget is left for, equals no other. */
  identityOf(schema: JsonObject, text: TypedText): string | symbol {
    if (this.printsAddress(schema) || this.#left <= 0) return Symbol();
    const identity = text.schema(schema);
    this.#left -= identity.length;
    return identity;
  }

  print(schema: JsonObject, { reading }: TypedText): string {
    const most = Math.max(0, Math.min(longestText, this.#left));
    const text = goText(new GoReader(reading.stored).pointer(schema), most);
    this.#left -= text.length;
    return text;
  }

  printsAddress(root: JsonObject): boolean {
    const open = [{ schema: root, isPlain: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { schema, isPlain } = next;
      if (--this.#left < 0) return true;
      for (const keyword in schema) {
        const kind = keywordKinds.get(keyword);
        const value = own(schema, keyword);
        if (kind === undefined || value === undefined || value === null) continue;
        if (isPlain && isBehindPointer(kind, value)) return true;
        const isPlainInside = kind === 'schema-map' || (kind === 'schema-list' && isPlain);
        for (const inside of schemasIn(kind, value)) {
          open.push({ schema: inside, isPlain: isPlainInside });
        }
      }
    }
    return false;
  }
}

/** Pointers that Go prints as addresses, because their types have no `String` method. */
const pointers: ReadonlySet<Kind> = new Set([
  'pointer-to-text',
  'pointer-to-flag',
  'float',
  'integer',
]);

function isBehindPointer(kind: Kind, value: JsonValue): boolean {
  if (kind !== 'validations') return pointers.has(kind);
  const rules = Array.isArray(value) ? value.filter(isObject) : [];
  return rules.some((rule) =>
    ['reason', 'optionalOldSelf'].some((key) => (own(rule, key) ?? null) !== null),
  );
}
