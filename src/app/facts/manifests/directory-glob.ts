/**
 * The patterns of `directory.include` and `exclude`, by which Argo CD chooses files: `*` and `?` match
 * `/` too, and `{a,b}` matches either.
 *
 * Source: argo-cd v3, `reposerver/repository/repository.go` and `util/glob`.
 */
import { InvalidInputError } from '../../../text/documents/index.js';

export interface ChosenFiles {
  /** Empty to include all files. */
  readonly include: string;
  /** Empty to exclude none. */
  readonly exclude: string;
}

/** A regular expression with more could take seconds. */
const maxWildcards = 6;

/**
 * Makes a function that says whether Argo CD applies the file at a path relative to the directory.
 *
 * @throws InvalidInputError for a pattern with syntax that is not supported here
 */
export function fileChooser({ include, exclude }: ChosenFiles): (path: string) => boolean {
  const [included, excluded] = [include, exclude].map((each) =>
    each === '' ? undefined : globOf(each),
  );
  return (path) => included?.test(path) !== false && excluded?.test(path) !== true;
}

function globOf(pattern: string): RegExp {
  if ((pattern.match(/\*+/g)?.length ?? 0) > maxWildcards) {
    throw new InvalidInputError('E_LIMIT', `${pattern} has more than ${maxWildcards} wildcards`);
  }
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
  return new RegExp(`^(?:${source})$`, 'su');
}
