/**
 * How long does `olm-guard roundtrip` itself take for 1,000 objects? A converter over HTTPS in a
 * process of its own counts the time in which it works; what remains is compared with the stated limit.
 * Run with `npx tsx bench/roundtrip.ts`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { roundTrip } from '../src/cluster/conversion/index.js';
import { openConverter } from '../src/cluster/converter/https.js';
import type { JsonObject } from '../src/text/documents/index.js';
import { definition, startConverter } from '../test/cli/converters.js';

const limitSeconds = 10;

if (process.send !== undefined) {
  const converter = await startConverter({});
  process.on('message', () => {
    process.send?.({ worked: converter.worked() });
  });
  process.send({ url: converter.url, authority: converter.authority });
} else {
  const child = fork(import.meta.filename, { execArgv: ['--import', 'tsx'] });
  const [{ url, authority }] = (await once(child, 'message')) as [
    { url: string; authority: string },
  ];
  const limits = { milliseconds: 10_000, answerBytes: 64 * 1024 * 1024 };
  const converter = openConverter({ url: new URL(url), authorities: [authority] }, limits);
  const stored = Array.from({ length: 500 }, (_, index) => storedWidget(index));
  const second = stored.map((object) => ({ ...object, apiVersion: 'example.com/v2' }));
  const started = performance.now();
  const { pairs, requests, faults } = await roundTrip(
    definition as unknown as JsonObject,
    converter.convert,
    {
      samples: 0,
      stored: new Map([
        ['v1', stored],
        ['v2', second],
      ]),
    },
  );
  const took = (performance.now() - started) / 1000;
  converter.close();
  child.send('end');
  const [{ worked }] = (await once(child, 'message')) as [{ worked: number }];
  child.kill();
  const objects = pairs.reduce((sum, pair) => sum + pair.objects, 0);
  const own = took - worked / 1000;
  const seconds = `${own.toFixed(2)} s`;
  console.log(
    `${`${objects} objects there and back in ${requests} reviews, beside the converter's ${(worked / 1000).toFixed(2)} s (limit: ${limitSeconds} s)`.padEnd(100)} ${seconds}   ${(own / limitSeconds).toFixed(2)}x of the limit`,
  );
  if (own > limitSeconds || faults.length > 0) process.exitCode = 1;
}

/** About 2 KB, as objects of operators are. */
function storedWidget(index: number): JsonObject {
  const ports = Array.from({ length: 20 }, (_, number) => ({ name: `port-${number}`, number }));
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name: `widget-${index}`,
      namespace: 'default',
      uid: `uid-${index}`,
      labels: { a: 'b' },
    },
    spec: {
      first: `first-${index}`,
      last: 'last '.repeat(100),
      tags: Array.from({ length: 20 }, (_, number) => `tag-${number}`),
      ports,
      settings: Object.fromEntries(ports.map(({ name }) => [name, 'value'])),
    },
  };
}
