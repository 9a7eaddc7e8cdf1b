/**
 * Names of fields as identifiers of CEL: k8s.io/apiserver/pkg/cel/escaping.go.
 */
import { reservedWords } from '../../../cel/index.js';

const escapes = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

/** The identifier for a field, or undefined where a field cannot be named in a rule. */
export function escapeName(name: string): string | undefined {
  if (reservedWords.has(name)) return `__${name}__`;
  if (/^[a-zA-Z][a-zA-Z0-9]*$/.test(name)) return name;
  if (name === '' || /^[0-9]/.test(name)) return undefined;
  if (!/^[a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => escapes.get(part) ?? part);
}

const unescapes = new Map([...escapes].map(([plain, escaped]) => [escaped, plain]));

/** The field behind an identifier, or undefined where it is the escape of none. */
export function unescapeName(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  const keyword = /^__([a-z]+)__$/.exec(identifier)?.[1];
  if (keyword !== undefined && reservedWords.has(keyword)) return keyword;
  let valid = true;
  const name = identifier.replaceAll(/__[^_]+__/g, (part) => {
    const plain = unescapes.get(part);
    if (plain === undefined) valid = false;
    return plain ?? part;
  });
  return valid ? name : undefined;
}
