/**
 * How many paths a report has room for. A field deep in a schema, or below a field with a long name,
 * has a path of any length: those of all fields together may be longer than memory.
 */
import { compareBytes } from '../../text/go/index.js';
import type { NamedField } from './difference.js';

/** Characters; the longest report on a real definition has 0.2 million. */
const maxCharacters = 2 * 1024 * 1024;
/** Characters that a finding takes beside its field's path. */
const charactersBeside = 200;

export class PathBudget {
  private left = maxCharacters;

  inOrder<Field extends NamedField>(
    fields: readonly Field[],
  ): { readonly reported: readonly Field[]; readonly omitted: readonly Field[] } {
    const reported: Field[] = [];
    const omitted: Field[] = [];
    for (const field of fields) {
      const room = field.length + charactersBeside;
      if (room > this.left) omitted.push(field);
      else {
        this.left -= room;
        reported.push(field);
      }
    }
    reported.sort((left, right) => compareBytes(left.path, right.path));
    return { reported, omitted };
  }
}
