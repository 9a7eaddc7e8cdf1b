/** Numbers that have another name as a key than as a value, for sigs.k8s.io/yaml. */
import { formatFloat32 } from '../go/format-float.js';

/** A number that JSON cannot hold: fine as a key, refused as a value. */
export class UnsupportedScalar {
  constructor(readonly text: string) {}
  toString(): string {
    return unsupportedNames.get(this.text) ?? this.text;
  }
  readonly [Symbol.toStringTag] = 'Number';
}

const unsupportedNames = new Map([
  ['+Inf', '.inf'],
  ['-Inf', '-.inf'],
  ['NaN', '.nan'],
]);

/** A float whose name as a key is not its text as a value. */
export class NamedFloat {
  constructor(
    readonly value: number,
    private readonly name: string,
  ) {}
  toString(): string {
    return this.name;
  }
  readonly [Symbol.toStringTag] = 'Number';
}

/** The number itself where both are the same. */
export function namedFloat(value: number): number | NamedFloat {
  const name = floatName(value);
  return name === String(value) ? value : new NamedFloat(value, name);
}

/** Rule: `strconv.FormatFloat(key, 'g', -1, 32)`, and YAML's names of what is infinite. */
function floatName(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  return formatFloat32(single);
}
