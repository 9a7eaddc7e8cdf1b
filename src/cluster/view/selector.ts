/** Label selectors as kubectl's `-l` takes them. */
import { InvalidInputError } from '../../text/documents/index.js';

type Labels = ReadonlyMap<string, string>;
type Requirement = (labels: Labels) => boolean;

/**
 * `a=b`, `a!=b`, `a in (b, c)`, `a notin (b)`, `a`, `!a`, joined by commas; k8s.io/apimachinery
 * labels.Parse.
 *
 * @throws InvalidInputError `E_INPUT` for anything else
 */
export function parseSelector(selector: string): (labels: Labels) => boolean {
  const requirements = selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseRequirement);
  return (labels) => requirements.every((holds) => holds(labels));
}

function parseRequirement(text: string): Requirement {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    return (labels) => {
      const value = labels.get(key);
      const isIn = value !== undefined && values.has(value);
      return operator === 'in' ? isIn : !isIn;
    };
  }
  const compare = /^([\w./-]+)\s*(==?|!=)\s*([\w.-]*)$/.exec(text);
  if (compare !== null) {
    const [, key = '', operator, value] = compare;
    return (labels) => (labels.get(key) === value) === (operator !== '!=');
  }
  const exists = /^(!?)\s*([\w./-]+)$/.exec(text);
  if (exists !== null) {
    const [, not, key = ''] = exists;
    return (labels) => labels.has(key) === (not === '');
  }
  throw new InvalidInputError('E_INPUT', `"${text}" is not a label selector`);
}
