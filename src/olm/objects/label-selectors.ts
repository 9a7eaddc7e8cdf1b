import type { JsonValue } from '../../text/documents/index.js';
import type { LabelSelector } from '../operator-groups/label-selector.js';
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../text/documents/fields.js';

export function readLabelSelector(
  object: JsonValue | undefined,
  ...path: string[]
): LabelSelector | null {
  const selector = objectAt(object, ...path);
  if (selector === undefined) return null;
  return {
    matchLabels: textMapAt(selector, 'matchLabels'),
    matchExpressions: objectsAt(selector, 'matchExpressions').map((expression) => ({
      key: textAt(expression, 'key') ?? '',
      operator: textAt(expression, 'operator') ?? '',
      values: textsAt(expression, 'values'),
    })),
  };
}
