/**
 * What sigs.k8s.io/yaml (go.yaml.in/yaml/v2) refuses and js-yaml lets pass: tabs where a token begins or a
 * line is indented, escapes that are none, directives of another YAML. Asked only for texts that have such
 * characters at all.
 */
import type jsyaml from 'js-yaml';

/** Why the reference refuses the text, and where: an index into it. */
export interface Refusal {
  readonly reason: string;
  readonly index: number;
}

interface Span {
  readonly kind: 'plain' | 'quoted' | 'block' | 'flow';
  readonly start: number;
  readonly end: number;
}

/** Characters that begin a line for YAML 1.1, or stand before one, and for js-yaml are text. */
const hiddenBreak = /[\u2028\u2029]|(?<=[\r\n])\ufeff/;
const keyMark = /^[ \t]*(?:[-?:][ \t]+)*\?(?=[ \t\r\n]|$)/gm;
/** An item with nothing in it, and the next one, which may be of another list. */
const emptyItem =
  /^((?:[-?:]?[ \t])*)-[ \t]*(?:#[^\n]*)?\r?\n(?=(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)-(?=\s|$))/gm;
const oddAnchor = /(?<![^\s[{,])[&*][\w-]+[:?%@`]/g;
const joinedBlankLine = /\\\r?\n[ \t]*\r?\n/;
const tightColon = /[^\s"'\]}]:[,[\]{}]/g;
const lineWithTab = /^(?: |[-?](?=[ \t]))*\t/gm;
const oddEscape = /\\(?:\/|u[dD][89a-fA-F]|U)/;
const missingKey = /[{,][ \t\r\n]*:(?=[ \t\r\n,\]}]|$)/g;
const oddPlain = /[[{,:][ \t\r\n]*[:?](?=[^ \t\r\n,[\]{}])/;
/** From the beginning of the line: from each of its brackets, a line of a million would be read a million times. */
const markInFlow = /(?<![^\n])[^[{\n]*[[{][^?\n]*\?/;
const bareTag = /(?:^|[\s[{,])!(?=[\s\]},]|$)/;
const properties = /(?:\s|#[^\n]*(?:\n|$)|[&!][^\s,[\]{}]*(?=\s|$))*/y;

export function needsStrictness(text: string): boolean {
  return (
    text.includes('\t') ||
    oddEscape.test(text) ||
    text.search(missingKey) !== -1 ||
    bareTag.test(text) ||
    oddPlain.test(text) ||
    text.search(keyMark) !== -1 ||
    text.search(tightColon) !== -1 ||
    text.search(emptyItem) !== -1 ||
    text.search(oddAnchor) !== -1 ||
    joinedBlankLine.test(text) ||
    markInFlow.test(text) ||
    (endsWithoutBreak.test(text) && blockHeader.test(text))
  );
}

/** Something else than blanks on a last line that no line break ends. */
const endsWithoutBreak = /[^\s][ \t]*$/;
const blockHeader = /[|>][-+\d]{0,2}[ \t]*(?:#[^\n]*)?\r?$/m;

/** Notes where scalars and flow collections stand while js-yaml reads; to be judged when it has finished. */
export class Strictness {
  private readonly spans: Span[] = [];
  private readonly opened: number[] = [];
  /** Where a block ends that js-yaml has given a line break of its own. */
  private readonly end: number;

  /** @param text without a byte order mark */
  constructor(text: string) {
    this.end = endsWithoutBreak.test(text) ? text.length : Infinity;
  }

  /** js-yaml's listener. */
  readonly listener = (event: jsyaml.EventType, state: jsyaml.State): void => {
    if (event === 'open') {
      this.opened.push(state.position);
      return;
    }
    const opened = this.opened.pop();
    // A lone `!` makes a text of whatever is there, of nothing too.
    if (state.result === null && 'tag' in state && state.tag === '!') state.result = '';
    if (opened === undefined || state.position <= opened) return;
    properties.lastIndex = opened;
    properties.test(state.input);
    const start = Math.min(properties.lastIndex, state.position);
    const kind = kindOf(state.input[start], state.kind);
    if (kind === 'block' && state.position >= this.end && typeof state.result === 'string') {
      state.result = state.result.replace(/\n$/, '');
    }
    if (kind !== undefined && start < state.position) {
      this.spans.push({ kind, start, end: state.position });
    }
  };

  /** @param offset how many characters of `text` js-yaml did not count: a byte order mark */
  refusal(text: string, offset: number): Refusal | undefined {
    const spans = this.spans.map((span) => ({
      ...span,
      start: span.start + offset,
      end: span.end + offset,
    }));
    return (
      keyRefusal(text, spans) ??
      itemRefusal(text, spans) ??
      anchorRefusal(text, spans) ??
      escapeRefusal(text, spans) ??
      blockRefusal(text, spans) ??
      tabRefusal(text, spans)
    );
  }
}

function kindOf(first: string | undefined, kind: string | null): Span['kind'] | undefined {
  switch (first) {
    case '[':
    case '{':
      return 'flow';
    case '"':
    case "'":
      return kind === 'scalar' ? 'quoted' : undefined;
    case '|':
    case '>':
      return kind === 'scalar' ? 'block' : undefined;
    default:
      return kind === 'scalar' ? 'plain' : undefined;
  }
}

/** Asks place after place what is around it: a large text has too many of both to compare each with each. */
class Surroundings {
  readonly sorted: readonly Span[];
  private next = 0;
  private around: readonly Span[] = [];

  constructor(spans: readonly Span[]) {
    this.sorted = spans.toSorted((a, b) => a.start - b.start);
  }

  /** By where they start; places must be asked for in their order. */
  at(index: number): readonly Span[] {
    const first = this.next;
    while ((this.sorted[this.next]?.start ?? Infinity) <= index) this.next++;
    const begun = [...this.around, ...this.sorted.slice(first, this.next)];
    this.around = begun.filter(({ end }) => index < end);
    return this.around;
  }
}

/** Rule: in braces, what stands before a colon is a key, and nothing is none. */
function keyRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  const ofKeys = new Surroundings(spans);
  for (const { index } of text.matchAll(missingKey)) {
    const innermost = ofKeys.at(index).toSorted((a, b) => b.start - a.start)[0];
    if (innermost?.kind === 'flow') return { reason: 'did not find expected node content', index };
  }
  const ofScalars = new Surroundings(spans);
  for (const { kind, start, end } of ofScalars.sorted) {
    if (kind !== 'plain') continue;
    const isOdd = text[start] === ':' || text.slice(start, end).includes('?');
    if (isOdd && ofScalars.at(start).some((span) => span.kind === 'flow' && span.start < start)) {
      return { reason: 'did not find expected node content', index: start };
    }
  }
  const ofColons = new Surroundings(spans);
  for (const { index } of text.matchAll(tightColon)) {
    const around = ofColons.at(index).toSorted((a, b) => b.start - a.start);
    if (around.find(({ kind }) => kind !== 'plain')?.kind !== 'flow') continue;
    return { reason: 'a blank must stand behind the colon of a key', index: index + 1 };
  }
  const ofMarks = new Surroundings(spans);
  for (const match of text.matchAll(keyMark)) {
    const index = match.index + match[0].length - 1;
    if (ofMarks.at(index).some(({ start }) => start < index)) continue;
    if (/^\?[ \t]+[^\s[\]{}|>&*!#?%@`-]/.test(text.slice(index, index + 100))) continue;
    return { reason: 'a key behind ? must be a text on its line', index };
  }
  return undefined;
}

/** Rule: an item belongs to the list of its indentation. js-yaml takes it for one of the list above it. */
function itemRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  const surroundings = new Surroundings(spans);
  for (const match of text.matchAll(emptyItem)) {
    const [, before = '', next = ''] = match;
    if (next.length >= before.length) continue;
    const index = match.index + before.length;
    if (surroundings.at(index).some(({ start }) => start < index)) continue;
    return { reason: 'an item is empty, and the list ends behind it: write null', index };
  }
  return undefined;
}

/** Rule: names of anchors are letters, digits, `-` and `_`; js-yaml takes what follows for more of them. */
function anchorRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  const surroundings = new Surroundings(spans);
  for (const { index } of text.matchAll(oddAnchor)) {
    const isText = surroundings.at(index).some(({ kind }) => kind !== 'flow');
    if (!isText) return { reason: 'a blank must stand behind the name of an anchor', index };
  }
  return undefined;
}

/** Rule: only the escapes of YAML 1.1 exist, and none names half of a surrogate pair. */
function escapeRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  for (const { kind, start, end } of spans) {
    if (kind !== 'quoted' || text[start] !== '"') continue;
    const blank = text.slice(start, end).search(joinedBlankLine);
    if (blank !== -1) {
      return { reason: 'an empty line stands behind a \\ that joins lines', index: start + blank };
    }
    for (const match of text.slice(start, end).matchAll(/\\(?:u(.{4})|U(.{8})|[^])/g)) {
      const [whole, four, eight] = match;
      const code = Number.parseInt(four ?? eight ?? '0', 16);
      const isCharacter = (code < 0xd800 || code > 0xdfff) && code <= 0x10ffff;
      if (whole !== '\\/' && isCharacter) continue;
      const reason = isCharacter
        ? 'found unknown escape character'
        : 'found invalid Unicode character escape code';
      return { reason, index: start + match.index };
    }
  }
  return undefined;
}

/** Rule: a literal text is indented by spaces, and a tab before its first character is no indentation. */
function blockRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  for (const { kind, start, end } of spans) {
    if (kind !== 'block') continue;
    const raw = text.slice(start, end);
    const header = /^[|>][^\n]*\n/.exec(raw)?.[0] ?? raw;
    if (/[1-9]/.test(header.split('#')[0] ?? '')) continue;
    let indentation = 0;
    let index = start + header.length;
    for (const line of raw.slice(header.length).split('\n')) {
      const spaces = /^ */.exec(line)?.[0].length ?? 0;
      const isTab = line[spaces] === '\t';
      if (isTab && (indentation === 0 || spaces < indentation)) {
        const reason = 'found a tab character where an indentation space is expected';
        return { reason, index: index + spaces };
      }
      if (indentation === 0 && line.trim() !== '') indentation = spaces;
      index += line.length + 1;
    }
  }
  return undefined;
}

/** Rule: where a block's token may begin, blanks are spaces; and no tab stands to the left of a block. */
function tabRefusal(text: string, spans: readonly Span[]): Refusal | undefined {
  const surroundings = new Surroundings(spans);
  const plainEnds = new PlainEnds(text, spans);
  for (const match of text.matchAll(lineWithTab)) {
    const index = match.index + match[0].length - 1;
    const inside = surroundings.at(index).filter(({ start }) => start < index);
    if (inside.some(({ kind }) => kind !== 'plain')) continue;
    const isMargin = match[0] === '\t';
    if (inside.length > 0 && !isMargin) continue;
    if (isMargin && isOnePlainScalar(spans)) continue;
    if (!isMargin && match[0].trim() === '' && plainEnds.isFollowedBy(match.index)) continue;
    const reason = isMargin
      ? 'found a tab character that violates indentation'
      : 'found a character that cannot start any token: a tab';
    return { reason, index };
  }
  return undefined;
}

/** Nothing else; js-yaml may have looked at it twice. */
function isOnePlainScalar(spans: readonly Span[]): boolean {
  return spans.every(({ kind, start }) => kind === 'plain' && start === spans[0]?.start);
}

/**
 * Blanks behind an unquoted scalar belong to it, on the next lines too, as long as nothing follows.
 * Lines must be asked for in their order: what has only blanks before it is not looked at again.
 */
class PlainEnds {
  private readonly ends: ReadonlySet<number>;
  private line = 0;
  private last = 0;

  constructor(
    private readonly text: string,
    spans: readonly Span[],
  ) {
    this.ends = new Set(spans.filter(({ kind }) => kind === 'plain').map(({ end }) => end));
  }

  isFollowedBy(line: number): boolean {
    const between = this.text.slice(this.line, line).trimEnd().length;
    if (between > 0) this.last = this.line + between;
    this.line = line;
    const end = this.text.indexOf('\n', line);
    const rest = this.text.slice(line, end === -1 ? undefined : end).trim();
    return (rest === '' || rest.startsWith('#')) && this.ends.has(this.last);
  }
}

/**
 * Rule: a line ends at U+2028 and U+2029 too, in comments as well, and a byte order mark before a token is
 * no text. Refused wherever they stand: nobody sees them, and what follows would be read as something else.
 */
export function lineRefusal(text: string): Refusal | undefined {
  const index = text.search(hiddenBreak);
  if (index === -1) return undefined;
  const code = text.charCodeAt(index).toString(16).toUpperCase();
  return {
    reason: `U+${code} stands here, unseen: remove it, or write \\u${code} in double quotes`,
    index,
  };
}

/** Rule: `---` is a marker before a blank only, and the beginning of a text otherwise. */
export function markerRefusal(text: string): Refusal | undefined {
  const index = text.search(/(?:^|(?<=[\r\n]))\ufeff?---(?=[^ \t\r\n])/);
  return index === -1 ? undefined : { reason: 'a blank must stand behind ---', index };
}

/** Rule: directives before the first document are `%YAML 1.1`, at most once, and `%TAG`. */
export function directiveRefusal(text: string): Refusal | undefined {
  let versions = 0;
  let index = 0;
  for (const line of text.split('\n', 100)) {
    if (/^(?:\ufeff)?(?:\s*#|\s*$)/.test(line)) {
      index += line.length + 1;
      continue;
    }
    if (!line.startsWith('%')) return undefined;
    const version = /^%YAML[ \t]+(\S+)/.exec(line)?.[1];
    if (version !== undefined) versions++;
    if (version !== undefined && (version !== '1.1' || versions > 1)) {
      return { reason: 'found incompatible YAML document: only %YAML 1.1 is read', index };
    }
    if (version === undefined && !/^%TAG[ \t]/.test(line)) {
      return { reason: 'found unknown directive name', index };
    }
    index += line.length + 1;
  }
  return undefined;
}
