/**
 * The patterns by which Argo CD chooses files of a directory: `*` and `?` match `/` too, and `{a,b}` is
 * one or the other.
 *
 * Source: argo-cd v3, `reposerver/repository/repository.go` and `util/glob`.
 */
import { InvalidInputError } from '../../../text/documents/index.js';

export interface ChosenFiles {
  /** Empty for all. */
  readonly include: string;
  /** Empty for none. */
  readonly exclude: string;
}

const mostWildcards = 6;

/**
 * Whether a path from the directory is applied.
 *
 * @throws InvalidInputError for a pattern that is not read here
 */
export function fileChooser({ include, exclude }: ChosenFiles): (path: string) => boolean {
  const [included, excluded] = [include, exclude].map((each) => each === '' ? undefined : globOf(each));
  return (path) => included?.test(path) !== false && excluded?.test(path) !== true;
}

function globOf(pattern: string): RegExp {
  if ((pattern.match(/\*+/g)?.length ?? 0) > mostWildcards) {
    throw new InvalidInputError('E_LIMIT', `${pattern} has more than ${mostWildcards} wildcards`);
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
