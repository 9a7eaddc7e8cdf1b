/**
 * The patterns of `directory.include` and `exclude`, by which Argo CD chooses files: `*` and `?` match
 * `/` too, and `{a,b}` matches either.
 *
 * Source: argo-cd v3, `reposerver/repository/repository.go` and `util/glob`.
 */
import { InvalidInputError } from '../../text/documents/index.js';
import { compilePattern, type Pattern } from '../../text/go/regexp.js';

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
