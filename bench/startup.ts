/**
 * What a command costs before it has read anything: processor time of `--version` and of `check crd`
 * on two small files, beside that of a Node that does nothing, taken in turns:
 * `npm run build && npx tsx bench/startup.ts [rounds]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOfCommand } from './command-cost.js';
import { median, tell } from './measure.js';

const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const rounds = Number(process.argv[2] ?? 9);
/** From 22 on Node itself starts twice as fast. */
const major = Number(process.versions.node.split('.')[0]);
const onNode = major < 22 ? '' : ` on Node ${major}`;
/** Runs per round. */
const runs = 4;

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-startup-'));
const files = ['string', 'integer'].map((type) => {
  const file = join(folder, `${type}.yaml`);
  const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: ${type} } } } }
`;
  writeFileSync(file, text);
  return file;
});

try {
  for (const { what, args, limit } of [
    { what: '--version', args: [main, '--version'], limit: 2 },
    { what: 'check crd OLD NEW', args: [main, 'check', 'crd', ...files], limit: 3 },
  ]) {
    const pairs = Array.from({ length: rounds }, () => ({
      idle: costOfCommand(['-e', '0'], runs),
      own: costOfCommand(args, runs),
    }));
    const own = median(pairs.map((pair) => pair.own));
    console.log(`${what}: ${own.toFixed(0)} ms`);
    const value = median(pairs.map(({ idle, own }) => own / idle));
    tell({ what: `${what}${onNode}, of node -e 0`, value, unit: '×', limit });
  }
} finally {
  rmSync(folder, { recursive: true });
}
