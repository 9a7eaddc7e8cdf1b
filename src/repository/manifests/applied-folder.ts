import { posix } from 'node:path';
import {
  type Document,
  type JsonObject,
  type Path,
  InvalidInputError,
} from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { ConfigMaps } from './config-maps.js';
import { nameOfAddress, type Repository } from './repository.js';
import { compilePattern, type Pattern } from '../../text/go/regexp.js';

export interface AppliedFolder {
  /** From the top of the repository, without a `/` at either end; empty for the whole of it. */
  readonly path: string;
  /** The object that applies it: `Application web`. */
  readonly by: string;
  /** Namespace of objects without one. */
  readonly namespace?: string | undefined;
  /** `none` applies files as they are; without it a kustomization counts before a chart, a chart before files. */
  readonly tool?: 'helm' | 'none' | undefined;
  readonly release: Release;
  /** Fields of a kustomization that takes the folder in, where more than its own is applied. */
  readonly overlay?: JsonObject | undefined;
  /** The manifests in it, those of its folders too, or the kustomization that Flux generates of them. */
  readonly withoutKustomization: 'files' | 'files of all folders' | 'generated kustomization';
  readonly chosen?: ChosenFiles | undefined;
  /** `spec.ignore` of the source that Flux takes it from. */
  readonly ignore?: string | undefined;
  /** Values of `${NAME}` in what it renders to; undefined where these are left as they are. */
  readonly variables?: Variables | undefined;
}

export interface Variables {
  readonly known: ReadonlyMap<string, string>;
  /** Sources of others that are not known here: `Secret passwords`. Without any they are unset, and so empty. */
  readonly unknownFrom: readonly string[];
}

export interface Release {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Whether these files take the place of the chart's own values.yaml. */
  readonly isOwnLeftOut?: boolean;
  /** Later ones win. */
  readonly valueFiles: readonly ValueFile[];
  /** These win over files, and later ones over earlier ones. */
  readonly values: readonly GivenValues[];
}

export interface GivenValues {
  readonly value: JsonObject;
  readonly written?: WrittenValue | undefined;
}

export interface WrittenValue {
  readonly document: Document;
  readonly path: Path;
}

interface ValueFile {
  readonly path: string;
  /** One that is not there is skipped. */
  readonly isOptional: boolean;
}

export class FolderCollector {
  readonly folders: AppliedFolder[] = [];
  /** Folders and charts that are applied from other repositories, one name each. */
  readonly elsewhere = new Set<string>();
  /** Questions that only a cluster or another program can answer, a sentence each. */
  readonly unchecked = new Set<string>();
  readonly configMaps: ConfigMaps;

  constructor(readonly repository: Repository) {
    this.configMaps = new ConfigMaps(repository);
  }

  /** Whether an address is that of this repository: a clone and a fork have its name. */
  isHere(address: string | undefined): boolean {
    const { names } = this.repository;
    return address === undefined || names.size === 0 || names.has(nameOfAddress(address));
  }

  /** Adds a folder of this repository; one that is not in it belongs to another one. */
  async add(folder: AppliedFolder): Promise<void> {
    const { path, by } = folder;
    if ((await this.repository.kindOf(path)) === 'folder') this.folders.push(folder);
    else if (this.repository.names.size > 0) {
      this.unchecked.add(`${by}: applies ${path}, which is no folder of this repository`);
    } else this.elsewhere.add(by);
  }
}

/** `Application web (argocd/web.yaml:3)`. */
export function nameWithPlace(
  object: JsonObject,
  { document: { file, line } }: WrittenValue,
): string {
  const name = textAt(object, 'metadata', 'name') ?? '';
  const place = file === undefined ? '' : ` (${file}:${line})`;
  return `${textAt(object, 'kind') ?? ''} ${name}${place}`;
}

/** From the top of the repository; undefined for what leads out of it, or is an address. */
export function pathFromTop(folder: string, path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) || path.includes('\0')) return undefined;
  const joined = posix.join(path.startsWith('/') ? '' : folder, path.replace(/^\/+/, ''));
  const trimmed = joined.replace(/\/+$/, '').replace(/^\.$/, '');
  return trimmed === '..' || trimmed.startsWith('../') ? undefined : trimmed;
}

export interface ChosenFiles {
  readonly include: string;
  readonly exclude: string;
}

/** Matching takes time for each character of a pattern and of a path. */
const longestPattern = 1000;

/** @throws InvalidInputError for a pattern with syntax that is not supported here */
export function fileChooser({ include, exclude }: ChosenFiles): (path: string) => boolean {
  const [included, excluded] = [include, exclude].map((each) =>
    each === '' ? undefined : globOf(each),
  );
  return (path) => included?.test(path) !== false && excluded?.test(path) !== true;
}

/** `*` and `?` match `/` too, `{a,b}` either. Source: argo-cd v3, `repository.go` and `util/glob`. */
function globOf(pattern: string): Pattern {
  if (/[[\]\\]|\{[^}]*\{|\{[^}]*$/.test(pattern)) {
    throw new InvalidInputError('E_INPUT', `the pattern ${pattern} is not read here`);
  }
  let isInside = false;
  const source = pattern.replace(/\*+|[^*]/gu, (part) => {
    if (part.startsWith('*')) return '.*';
    if (part === '?') return '.';
    if (part === '{' || part === '}') {
      isInside = part === '{';
      return isInside ? '(?:' : ')';
    }
    if (part === ',' && isInside) return '|';
    return part.replace(/[$()+.^|]/, String.raw`\$&`);
  });
  return compileGlob(pattern, source);
}

/** Takes no longer on paths that are made to stall it. @throws InvalidInputError */
export function compileGlob(pattern: string, source: string): Pattern {
  if (pattern.length > longestPattern) {
    const message = `a pattern has more than ${longestPattern} characters`;
    throw new InvalidInputError('E_LIMIT', message);
  }
  const compiled = compilePattern(`(?s)^(?:${source})$`);
  if (typeof compiled !== 'string') return compiled;
  throw new InvalidInputError('E_INPUT', `the pattern ${pattern} is not read here`);
}
