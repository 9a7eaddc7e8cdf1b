/**
 * Finds where a value of a definition comes from in the Go types from which controller-gen made it: a
 * field or its marker. Only types declared in the given files are found.
 *
 * Source: sigs.k8s.io/controller-tools v0.20.1, `pkg/crd`; The Go Programming Language Specification.
 */
import type { Path, Place } from '../../text/documents/index.js';

export interface GoFile {
  readonly file: string;
  /** Relative to the folder on the command line, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Marker {
  /** Without the `+`. */
  readonly text: string;
  readonly place: Place;
}

interface Declared {
  readonly place: Place;
  readonly markers: readonly Marker[];
  readonly type: GoType;
}

interface GoField extends Declared {
  /** The name in JSON; undefined for an inlined field, whose own fields take its place. */
  readonly name: string | undefined;
}

type GoType =
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly package?: string;
      readonly in: Source;
    }
  | { readonly kind: 'list' | 'map'; readonly element: GoType }
  | { readonly kind: 'struct'; readonly fields: readonly GoField[] }
  | { readonly kind: 'other' };

interface Source {
  readonly file: string;
  readonly folder: Folder;
  /** Import paths by the names that the packages have in the file. */
  readonly imports: ReadonlyMap<string, string>;
}

interface Folder {
  readonly path: string;
  readonly types: Map<string, Declared>;
  /** The API versions that its types may belong to: the package's name, and `+versionName`. */
  readonly versions: Set<string>;
}

const other: GoType = { kind: 'other' };

export class GoTypes {
  readonly #folders = new Map<string, Folder>();

  constructor(files: readonly GoFile[]) {
    for (const each of files) {
      const path = each.path.split('/').slice(0, -1).join('/');
      const folder = this.#folders.get(path) ?? { path, types: new Map(), versions: new Set() };
      this.#folders.set(path, folder);
      new FileReader(each, folder).read();
    }
  }

  /** Undefined if its type is in none of the files. @param version undefined for keys outside of versions */
  placeOf(kind: string, version: string | undefined, keys: Path): Place | undefined {
    const root = this.#rootOf(kind, version);
    if (root === undefined) return undefined;
    const at = keys.indexOf('openAPIV3Schema');
    if (at < 0)
      return markerAt(root, rootMarkers.find(([key]) => keys.includes(key))?.[1]) ?? root.place;
    let declared: Declared = root;
    // The declaration of the current type, if it has a name.
    let named: Declared | undefined = root;
    let type = this.#resolve(root.type);
    const enter = (next: GoType): void => {
      named = this.#declarationOf(next);
      type = this.#resolve(next);
    };
    for (let index = at + 1; index < keys.length; index++) {
      const key = keys[index];
      if (key === 'properties' && type.kind === 'struct' && index + 1 < keys.length) {
        const field = this.#fieldOf(type, String(keys[++index]));
        if (field === undefined) return named?.place ?? declared.place;
        declared = field;
        enter(field.type);
      } else if ((key === 'items' || key === 'additionalProperties') && 'element' in type) {
        enter(type.element);
      } else {
        if (key === 'required' || key === 'properties') return named?.place ?? declared.place;
        const keyword = String(key);
        return markerOf(declared, keyword) ?? (named && markerOf(named, keyword)) ?? declared.place;
      }
    }
    return declared.place;
  }

  #rootOf(kind: string, version: string | undefined): Declared | undefined {
    const all = [...this.#folders.values()].filter(({ types }) => types.has(kind));
    const ofVersion = all.find(({ versions }) => version !== undefined && versions.has(version));
    return (ofVersion ?? all[0])?.types.get(kind);
  }

  #declarationOf(type: GoType): Declared | undefined {
    if (type.kind !== 'named') return undefined;
    if (type.package === undefined) return type.in.folder.types.get(type.name);
    const path = type.in.imports.get(type.package);
    if (path === undefined) return undefined;
    const folders = [...this.#folders.values()].filter(
      (each) => each.path !== '' && (path === each.path || path.endsWith(`/${each.path}`)),
    );
    return folders[0]?.types.get(type.name);
  }

  #resolve(type: GoType): GoType {
    const seen = new Set<Declared>();
    let resolved = type;
    for (
      let next = this.#declarationOf(resolved);
      next !== undefined && !seen.has(next);
      next = this.#declarationOf(resolved)
    ) {
      seen.add(next);
      resolved = next.type;
    }
    return resolved;
  }

  #fieldOf(type: GoType, name: string): GoField | undefined {
    const seen = new Set<GoType>();
    const left = [type];
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (next.kind !== 'struct' || seen.has(next)) continue;
      seen.add(next);
      for (const field of next.fields) {
        if (field.name === name) return field;
        if (field.name === undefined) left.push(this.#resolve(field.type));
      }
    }
    return undefined;
  }
}

/** Markers of a type, by the key of the definition that they set. */
const rootMarkers: readonly (readonly [key: string, marker: string])[] = [
  ['subresources', 'kubebuilder:subresource'],
  ['additionalPrinterColumns', 'kubebuilder:printcolumn'],
  ['selectableFields', 'kubebuilder:selectablefield'],
  ['storage', 'kubebuilder:storageversion'],
  ['served', 'kubebuilder:unservedversion'],
  ['scope', 'kubebuilder:resource'],
  ['names', 'kubebuilder:resource'],
];

function markerAt({ markers }: Declared, start: string | undefined): Place | undefined {
  return markers.find(({ text }) => start !== undefined && text.startsWith(start))?.place;
}

/** The last part of `kubebuilder:validation:items:MinLength=1`, but for case, hyphens and a final s. */
function markerOf({ markers }: Declared, keyword: string): Place | undefined {
  const wanted = plain(keyword.replace(/^x-kubernetes-/, ''));
  return markers.find(({ text }) => {
    // Arguments follow a name after a colon too: `kubebuilder:validation:XValidation:rule="…"`.
    const whole = text.replace(/(?<=:[A-Z]\w*):[a-z]\w*=[^]*/, '');
    const name = /^[\w:-]+/.exec(whole)?.[0].split(':').at(-1) ?? '';
    return plain(name) === wanted || plain(name.replace(/^X(?=[A-Z])/, '')) === wanted;
  })?.place;
}

function plain(name: string): string {
  return name.replaceAll('-', '').replace(/s$/, '').toLowerCase();
}

/** How deep a type may be nested; Go's own parser has a limit too. */
const maxDepth = 100;

class FileReader {
  readonly #tokens: readonly Token[];
  readonly #comments: readonly Comment[];
  readonly #source: Source;
  readonly #imports = new Map<string, string>();
  #at = 0;
  #comment = 0;

  constructor(
    { file, text }: GoFile,
    readonly folder: Folder,
  ) {
    const { tokens, comments } = tokensOf(text);
    this.#tokens = tokens;
    this.#comments = comments;
    this.#source = { file, folder, imports: this.#imports };
    for (const { text: said } of comments) {
      const version = /^\+versionName=(\S+)/.exec(said)?.[1];
      if (version !== undefined) folder.versions.add(version);
    }
  }

  read(): void {
    let depth = 0;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      this.#at++;
      if ('({['.includes(token.text)) depth++;
      else if (')}]'.includes(token.text)) depth--;
      else if (depth > 0) continue;
      else if (token.text === 'package') this.folder.versions.add(this.#peek()?.text ?? '');
      else if (token.text === 'import') this.#group((each) => this.#readImport(each));
      else if (token.text === 'type') this.#group((each) => this.#readType(each));
    }
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #group(readOne: (first: Token) => void): void {
    const first = this.#peek();
    if (first?.text !== '(') {
      if (first !== undefined) readOne(first);
      return;
    }
    this.#at++;
    for (
      let token = this.#peek();
      token !== undefined && token.text !== ')';
      token = this.#peek()
    ) {
      const before = this.#at;
      readOne(token);
      if (this.#at === before) this.#at++;
    }
    this.#at++;
  }

  #readImport(first: Token): void {
    const isNamed = !first.text.startsWith('"');
    const path = (isNamed ? this.#peek(1) : first)?.text.slice(1, -1) ?? '';
    this.#imports.set(isNamed ? first.text : (path.split('/').at(-1) ?? ''), path);
    this.#at += isNamed ? 2 : 1;
  }

  #readType(name: Token): void {
    const markers = this.#markersBefore(name);
    this.#at++;
    if (this.#peek()?.text === '=') this.#at++;
    const type = this.#type(0);
    this.folder.types.set(name.text, { place: this.#placeOf(name), markers, type });
  }

  #type(depth: number): GoType {
    const token = this.#peek();
    if (token === undefined || depth > maxDepth) return other;
    if (token.text === '*') {
      this.#at++;
      return this.#type(depth + 1);
    }
    if (token.text === '[') {
      this.#skipTo(']');
      return { kind: 'list', element: this.#type(depth + 1) };
    }
    if (token.text === 'map' && this.#peek(1)?.text === '[') {
      this.#at++;
      this.#skipTo(']');
      return { kind: 'map', element: this.#type(depth + 1) };
    }
    if (token.text === 'struct' && this.#peek(1)?.text === '{') {
      this.#at += 2;
      return { kind: 'struct', fields: this.#fields(depth) };
    }
    return this.#name();
  }

  #name(): GoType {
    const [first, dot, second] = [this.#peek(), this.#peek(1), this.#peek(2)];
    if (first === undefined || !/^[\p{L}_]/u.test(first.text)) return other;
    if (dot?.text !== '.' || second === undefined) {
      this.#at++;
      return { kind: 'named', name: first.text, in: this.#source };
    }
    this.#at += 3;
    return { kind: 'named', name: second.text, package: first.text, in: this.#source };
  }

  #fields(depth: number): GoField[] {
    const fields: GoField[] = [];
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token.text === '}') {
        this.#at++;
        break;
      }
      const markers = this.#markersBefore(token);
      const isEmbedded = this.#isEmbedded(token);
      if (!isEmbedded) this.#at++;
      while (!isEmbedded && this.#peek()?.text === ',') this.#at += 2;
      const type = this.#type(depth + 1);
      const tag = this.#endOfField();
      const [name = '', ...flags] = /json:"([^"]*)"/.exec(tag)?.[1]?.split(',') ?? [];
      const isInline = name === '' && (isEmbedded || flags.includes('inline'));
      fields.push({
        name: isInline ? undefined : name,
        place: this.#placeOf(token),
        markers,
        type,
      });
    }
    return fields;
  }

  #isEmbedded(token: Token): boolean {
    if (token.text === '*') return true;
    const next = this.#peek(1);
    if (next === undefined || next.line > token.line) return true;
    return next.text === '.' || next.text === '}' || next.text === ';' || isText(next);
  }

  /** Reads the rest of the line on which the type ends, and returns the field's tag. */
  #endOfField(): string {
    let tag = '';
    const line = this.#tokens[this.#at - 1]?.line;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token.line !== line || token.text === '}') break;
      if (isText(token)) tag = token.text;
      if ('({['.includes(token.text)) this.#skipTo(closing[token.text] ?? '');
      else this.#at++;
      if (token.text === ';') break;
    }
    return tag;
  }

  #skipTo(close: string): void {
    const open = this.#peek()?.text;
    let depth = 0;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      this.#at++;
      if (token.text === open) depth++;
      else if (token.text === close && --depth === 0) return;
    }
  }

  #markersBefore(token: Token): Marker[] {
    const markers: Marker[] = [];
    for (
      let comment = this.#comments[this.#comment];
      comment !== undefined && comment.offset < token.offset;
      comment = this.#comments[++this.#comment]
    ) {
      // A comment at the end of the line before is about that line, and no marker.
      const before = this.#tokens[this.#at - 1];
      if (!comment.text.startsWith('+') || comment.line === before?.line) continue;
      markers.push({ text: comment.text.slice(1).trim(), place: this.#placeOf(comment) });
    }
    return markers;
  }

  #placeOf({ line, column }: Pick<Token, 'line' | 'column'>): Place {
    return { file: this.#source.file, line, column };
  }
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function isText({ text }: Token): boolean {
  return text.startsWith('`') || text.startsWith('"');
}

export interface Token {
  readonly text: string;
  readonly offset: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The text is without `//`. */
export type Comment = Token;

/** Blanks; a comment; a string or rune; a name or number; or any other character. */
const part =
  /[^\S\n]+|\n|\/\/([^\n]*)|\/\*[^]*?(?:\*\/|$)|`[^`]*`?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[\p{L}\p{N}_]+|[^]/gu;

function tokensOf(text: string): {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
} {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  let line = 1;
  let lineStart = 0;
  for (const { 0: written, 1: comment, index: offset } of text.matchAll(part)) {
    const place = { offset, line, column: offset - lineStart + 1 };
    if (comment !== undefined) comments.push({ text: comment.trim(), ...place });
    else if (/^\S/.test(written) && !written.startsWith('/*'))
      tokens.push({ text: written, ...place });
    for (let at = written.indexOf('\n'); at >= 0; at = written.indexOf('\n', at + 1)) {
      line++;
      lineStart = offset + at + 1;
    }
  }
  return { tokens, comments };
}
