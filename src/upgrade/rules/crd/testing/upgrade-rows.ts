/** Tables of upgrades and the lines of their findings. */
import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../../../text/documents/index.js';
import { judgeByReference } from '../profiles.js';
import type { ReferenceProfile } from '../rule.js';
import { object, withSchema } from './definition.js';
import { UpgradePair } from '../../../pair.js';

export type UpgradeRow = [row: string, old: JsonObject, next: JsonObject, lines: string[]];

export const lines = (old: JsonObject, next: JsonObject, profile: ReferenceProfile): string[] =>
  judgeByReference(UpgradePair.read(old, next), profile).findings.map(({ message }) => message);

export function describeRows(profile: ReferenceProfile, rows: readonly UpgradeRow[]): void {
  for (const [row, old, next, expected] of rows) {
    it(row, () => {
      expect(lines(old, next, profile)).to.deep.equal(expected);
    });
  }
}

/** A definition whose field `spec` has this schema. */
export const spec = (schema: JsonValue): JsonObject => withSchema(object({ spec: schema }));
