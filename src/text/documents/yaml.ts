/** One YAML document in, as sigs.k8s.io/yaml reads it (`kubernetes`) or as YAML 1.2 core (`core`). */
import { InvalidInputError, type Place } from './error.js';
import { defaultLimits, type Limits } from './limits.js';
import { placeAt, LineStarts } from './place.js';
import type { JsonValue } from './value.js';
import { type Dialect, valueOf } from './yaml-decoder.js';
import { firstNodeOf, onlyNodeOf, type YamlNode } from './yaml-nodes.js';
import { rereadYaml } from './yaml-reread.js';
import { YamlDefect, YamlScanner } from './yaml-scanner.js';

export type { Dialect };

export interface YamlOptions extends Partial<Limits> {
  readonly file?: string;
  readonly dialect?: Dialect;
  /** For `kubernetes`: a text as it was read before an edit. */
  readonly before?: Parameters<typeof rereadYaml>[0] | undefined;
}

/** A document's value, and the tree it was made of. */
export interface ReadYaml {
  readonly value: JsonValue;
  readonly root?: YamlNode | undefined;
}

export function parseYaml(text: string, options: YamlOptions = {}): JsonValue {
  return readYaml(text, options).value;
}

/** Content behind it is ignored in `kubernetes`, as by the reference, refused in `core`. @throws `E_YAML`, `E_LIMIT` */
export function readYaml(text: string, options: YamlOptions = {}): ReadYaml {
  const limits = { ...defaultLimits, ...options };
  const where: Place = { file: options.file };
  if (text.length > limits.maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${text.length} bytes long; at most ${limits.maxBytes} are read`,
      where,
    );
  }
  if (limits.maxValues < Infinity && mayHoldMore(text, limits.maxValues)) {
    throw new InvalidInputError('E_LIMIT', `holds more than ${limits.maxValues} values`, where);
  }
  try {
    // Go cannot hold half a surrogate pair: it reads U+FFFD.
    const whole = /[\ud800-\udfff]/.test(text)
      ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
      : text;
    demandVisible(whole);
    const { dialect, before } = options;
    const reread = before && rereadYaml(before, whole, limits);
    if (reread !== undefined) return reread;
    const root = (dialect === 'core' ? onlyNodeOf : firstNodeOf)(whole, limits.maxDepth);
    return { value: root === undefined ? null : valueOf(root, limits, dialect), root };
  } catch (error) {
    if (error instanceof InvalidInputError) throw error.at(where);
    if (error instanceof YamlDefect) throw notYaml(error.reason, text, error.index, where);
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidInputError('E_LIMIT', 'nests too deep to be read', where);
  }
}

const betweenValues = /[\n\r,:?\u0085\u2028\u2029]/g;

function mayHoldMore(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  betweenValues.lastIndex = 0;
  while (betweenValues.test(text)) if (++count > most) return true;
  return false;
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Control characters, line breaks of YAML 1.1, and the byte order mark, behind which the reference loses characters. */
const hiddenCharacter = new RegExp(`${controlCharacter.source}|[\\u2028\\u2029]|(?!^)\\ufeff`);

function demandVisible(text: string): void {
  const index = text.search(hiddenCharacter);
  if (index === -1) return;
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  throw new YamlDefect(
    controlCharacter.test(text[index] ?? '')
      ? 'control characters are not allowed'
      : `U+${code} stands here, unseen: remove it, or write \\u${code} in double quotes`,
    index,
  );
}

/** Places an error at the end of the text on its last line, not behind it. */
function notYaml(
  reason: string,
  text: string,
  index: number | undefined,
  where: Place,
): InvalidInputError {
  const place = index === undefined ? {} : placeAt(text, Math.min(index, text.trimEnd().length));
  return new InvalidInputError('E_YAML', `is not YAML: ${reason}${templateHint(text)}`, {
    ...where,
    ...place,
  });
}

const template = /\{\{-?\s*(?:[.$]|(?:if|range|with|end|include|define|template)\b)/;

/** Charts are mostly taken for manifests by mistake. */
function templateHint(text: string): string {
  return template.test(text)
    ? '; it holds templates such as {{ .x }}: render it first, with helm template'
    : '';
}

interface Comment {
  /** With its `#`. */
  readonly text: string;
  readonly line: number;
  /** Whether nothing else is on its line. */
  readonly isAlone: boolean;
}

/** In order. Invalid YAML yields those before the error, JSON none. */
export function commentsIn(text: string): Comment[] {
  const scanner = new YamlScanner(text);
  try {
    while (scanner.peek().kind !== 'stream-end') scanner.skip();
  } catch (error) {
    if (!(error instanceof YamlDefect) && !(error instanceof RangeError)) throw error;
  }
  const lines = new LineStarts(text);
  return scanner.comments.map(({ start, end }) => {
    const { line, column } = lines.placeAt(start);
    const isAlone = text.slice(start - column + 1, start).trim() === '';
    return { text: text.slice(start, end), line, isAlone };
  });
}
