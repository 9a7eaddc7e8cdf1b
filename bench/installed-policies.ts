/**
 * `npx tsx bench/installed-policies.ts`: the memory of a real API server, and the time that it takes for an update of
 * a definition, before and after the policies of all definitions of five public operators are installed at once.
 */
import { performance } from 'node:perf_hooks';
import { startCluster } from '../test/apiserver/cluster.js';
import { until } from '../test/apiserver/processes.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { definitions, widgets } from '../test/cluster/widgets.js';
import { bindingsPath, policiesPath } from '../src/gate/policy-sync/coverage.js';
import {
  metaOf,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../src/text/documents/index.js';
import { policyOf } from '../src/gate/index.js';
import { installedDocument } from '../src/upgrade/proof/testing/prove-documents.js';
import { gaugeOf, processOf, processorTime } from './api-server-process.js';
import { median } from './measure.js';

const operators = ['cert-manager', 'external-secrets', 'metallb', 'velero', 'kyverno'];
const updatesTimed = 15;

if (releasesMissing !== undefined) console.log(`skipped, needs ${releasesMissing}`);
else await measure();

async function measure(): Promise<void> {
  process.env['GOMEMLIMIT'] = '8GiB';
  const cluster = await startCluster();
  try {
    const pid = processOf(cluster);
    const send = async (method: string, path: string, body: object): Promise<void> => {
      const { code, text } = await cluster.request(method, path, body);
      if (code === 504) await send(method, path, body);
      else if (code > 201) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`);
    };
    const installed: JsonObject[] = [];
    for (const crd of newestDefinitions()) {
      const { code } = await cluster.request('POST', definitions, stringifyJson(crd));
      // Some need a webhook of their own.
      if (code === 201) installed.push(crd);
    }
    await send('POST', definitions, widgets());
    const tell = async (when: string): Promise<void> => {
      // A collection of garbage comes at least every two minutes; a heap in use is what it leaves.
      const heap = await until(
        'the collection of garbage',
        async () => {
          const ended = await gaugeOf(cluster, 'go_memstats_last_gc_time_seconds');
          return Date.now() / 1000 - ended < 5
            ? gaugeOf(cluster, 'go_memstats_alloc_bytes')
            : undefined;
        },
        { timeoutMs: 150_000, everyMs: 1000 },
      );
      const waits: number[] = [];
      const times: number[] = [];
      const path = `${definitions}/widgets.example.com`;
      for (let count = 0; count < updatesTimed; count++) {
        const stored = parseJson((await cluster.request('GET', path)).text) as JsonObject;
        const spec = { ...(own(stored, 'spec') as JsonObject), preserveUnknownFields: false };
        const [start, spent] = [performance.now(), processorTime(pid)];
        await cluster.request('PUT', `${path}?dryRun=All`, stringifyJson({ ...stored, spec }));
        waits.push(performance.now() - start);
        times.push(processorTime(pid) - spent);
      }
      console.log(
        `${when}: ${(heap / 1e6).toFixed(0)} MB on the heap; an update of another definition takes ${median(waits).toFixed(1)} ms, ${median(times).toFixed(1)} ms of processor time`,
      );
    };
    await tell(`${installed.length} definitions of ${operators.length} operators`);
    let count = 0;
    const start = processorTime(pid);
    for (const crd of installed) {
      for (const object of policyOf(crd).objects) {
        const isPolicy = own(object, 'kind') === 'ValidatingAdmissionPolicy';
        await send('POST', isPolicy ? policiesPath : bindingsPath, object);
        count++;
      }
    }
    await until(
      'the policies to count',
      async () => {
        const last = installed.at(-1) as JsonObject;
        const path = `${definitions}/${metaOf(last).name}`;
        const stored = parseJson((await cluster.request('GET', path)).text) as JsonObject;
        const spec = own(stored, 'spec') as JsonObject;
        const versions = (own(spec, 'versions') as JsonObject[]).map((version) => ({
          ...version,
          schema: { openAPIV3Schema: { type: 'object' } },
        }));
        const body = stringifyJson({ ...stored, spec: { ...spec, versions } });
        const { code } = await cluster.request('PUT', `${path}?dryRun=All`, body);
        return code === 422 ? true : undefined;
      },
      { timeoutMs: 600_000 },
    );
    const seconds = ((processorTime(pid) - start) / 1000).toFixed(0);
    await tell(`with ${count} policies and bindings, made in ${seconds} s of processor time`);
  } finally {
    await cluster.stop();
  }
}

function newestDefinitions(): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
    const { id, new: next } = parseJson(line) as unknown as { id: string; new: JsonObject };
    if (operators.includes(id.split('/')[0] ?? ''))
      found.set(metaOf(next).name, installedDocument(next));
  }
  return [...found.values()];
}
