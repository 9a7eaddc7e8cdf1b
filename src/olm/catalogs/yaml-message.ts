/** Says of a YAML error what the reference would say, where that is known. */
import { InvalidInputError } from '../../text/documents/index.js';
import type { CatalogFile } from './catalog.js';

const converting = 'error converting YAML to JSON: yaml: ';

/** The same error with the reference's prefix, and its text for a list or map that is never closed. */
export function goYamlMessage(error: InvalidInputError, file: CatalogFile): InvalidInputError {
  if (error.code !== 'E_YAML' || error.message.startsWith('invalid Yaml')) return error;
  const reason = error.message.replace(/^is not YAML: /, '');
  const text = file.content.toString();
  const message = /^did not find expected ',' or/.test(reason)
    ? (unclosed(text) ?? reason)
    : reason;
  return new InvalidInputError(error.code, converting + message, error.where, error.details);
}

interface Bracket {
  readonly closing: ']' | '}';
  readonly line: number;
}

/** go-yaml's error at the end of a text in which a bracket is open; lines count from 0 there. */
function unclosed(text: string): string | undefined {
  const open: Bracket[] = [];
  let line = 0;
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n') {
      line++;
      if (text.startsWith('---', at + 1)) {
        open.length = 0;
        line = -1;
      }
      continue;
    }
    if (/\s/.test(character)) continue;
    if (character === '#' && /\s/.test(text.charAt(at - 1))) {
      const newline = text.indexOf('\n', at);
      if (newline === -1) break;
      at = newline - 1;
      continue;
    }
    if (character === '[') open.push({ closing: ']', line });
    else if (character === '{') open.push({ closing: '}', line });
    else if (character === ']' || character === '}') open.pop();
    last = character;
  }
  const innermost = open.at(-1);
  if (innermost === undefined) return undefined;
  const expectsNode = innermost.closing === ']' && (last === ',' || last === '[');
  const place = expectsNode ? line : innermost.line || line;
  const prefix = place > 0 ? `line ${place}: ` : '';
  return expectsNode
    ? `${prefix}did not find expected node content`
    : `${prefix}did not find expected ',' or '${innermost.closing}'`;
}
