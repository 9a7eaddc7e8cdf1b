import { expect } from 'chai';
import { parseJson } from '../../text/documents/index.js';
import { constraintRemedy } from './constraint-remedy.js';
import { parseConstraint } from './constraint.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { describePredicate } from './predicate.js';

describe('the decoder of olm.constraint', () => {
  const refused: readonly [value: string, message: string][] = [
    ['"x"', 'parse olm.constraint: json: cannot unmarshal string into Go value of type constraints.Constraint'],
    ['[]', 'parse olm.constraint: json: cannot unmarshal array into Go value of type constraints.Constraint'],
    ['1.0', 'parse olm.constraint: json: cannot unmarshal number into Go value of type constraints.Constraint'],
    ['{"package":true}', 'parse olm.constraint: json: cannot unmarshal bool into Go struct field Constraint.package of type constraints.PackageConstraint'],
    ['{"all":{"constraints":{}}}', 'parse olm.constraint: json: cannot unmarshal object into Go struct field CompoundConstraint.all.constraints of type []constraints.Constraint'],
    ['{"all":{"constraints":[1]}}', 'parse olm.constraint: json: cannot unmarshal number into Go struct field CompoundConstraint.all.constraints of type constraints.Constraint'],
    ['{"not":{"constraints":[{"any":{"constraints":[{"cel":{"rule":true}}]}}]}}', 'parse olm.constraint: json: cannot unmarshal bool into Go struct field Cel.not.constraints.any.constraints.cel.rule of type string'],
    ['{"failureMessage":1,"zz":2}', 'parse olm.constraint: json: cannot unmarshal number into Go struct field Constraint.failureMessage of type string'],
    ['{"zz":2,"failureMessage":1}', 'parse olm.constraint: json: unknown field "zz"'],
    ['{"__proto__":{}}', 'parse olm.constraint: json: unknown field "__proto__"'],
    ['null', 'convert olm.constraint to resolver predicate: constraint is empty'],
    ['{"all":{"constraints":[{}]}}', 'convert olm.constraint to resolver predicate: constraint is empty'],
    ['{"cel":{"rule":"properties"}}', 'convert olm.constraint to resolver predicate: cel expressions must have type Bool'],
    ['{"cel":{"rule":"foo"}}', "convert olm.constraint to resolver predicate: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^"],
    ['{"package":{"packageName":"b","versionRange":"^1.0.0"}}', 'convert olm.constraint to resolver predicate: Could not parse Range "^1.0.0": Could not parse comparator "^" in "^1.0.0"'],
  ]; // prettier-ignore
  for (const [value, message] of refused) {
    it(`refuses ${value}`, () => {
      expect(() => parseConstraint(parseJson(value), 'olm')).to.throw(ResolutionError, message);
      expect(constraintRemedy(parseJson(value), message)).to.match(/^(?:write|use|in "package")/);
    });
  }

  const read: readonly [value: string, words: string][] = [
    ['{"GVK":{"Group":"g","VERSION":"v1","kind":"K"}}', 'providing an API with group: g, version: v1, kind: K'],
    ['{"gvk":{"group":"g","version":"v1","kind":"K"},"any":{"constraints":[]}}', 'providing an API with group: g, version: v1, kind: K'],
    ['{"any":{"constraints":[]}}', ''],
    ['{"all":null,"any":{"constraints":[{"package":{"packageName":"b","versionRange":"1.0.0"}}]}}', 'with package: b and with version in range: 1.0.0'],
    ['{"not":{"constraints":[{"gvk":{"group":"g","version":"v1","kind":"K"}},{"gvk":{"group":"g","version":"v1","kind":"L"}}]}}', 'providing an API with group: g, version: v1, kind: K and not providing an API with group: g, version: v1, kind: L'],
    ['{"failureMessage":"m","cel":{"rule":"true"}}', 'with constraint: "true" and message: "m"'],
  ]; // prettier-ignore
  for (const [value, words] of read) {
    it(`reads ${value}`, () => {
      const { predicate } = parseConstraint(parseJson(value), 'olm');
      expect(describePredicate(predicate)).to.equal(words);
    });
  }
});
