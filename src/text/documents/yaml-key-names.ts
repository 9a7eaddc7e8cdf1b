/** Names of floats as keys, for sigs.k8s.io/yaml. */
import { formatFloat32 } from '../go/format-float.js';

/** Rule: `strconv.FormatFloat(key, 'g', -1, 32)`, and YAML's names of what is infinite or no number. */
export function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  return formatFloat32(single);
}
