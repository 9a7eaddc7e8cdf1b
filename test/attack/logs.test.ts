/** The gate's log goes nowhere, or to somebody who does not read: reviews go on, and so does the end. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startGateProcess, type GateProcess } from '../../bench/gate-process.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText, withSize } from '../server/reviews.js';
import { until } from '../server/until.js';

const removal = reviewText({
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

async function dropped({ metricsUrl }: GateProcess): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^olm_guard_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

/** Reviews until lines are dropped, each of which must be answered. */
async function reviewUntilDropped(gate: GateProcess): Promise<void> {
  const body = reviewText({
    name: 'n'.repeat(100_000),
    oldObject: withSize({ type: 'integer' }),
    object: withSize(undefined),
  });
  await until(async () => {
    const answer = await send(gate.url, gate.authority, body, {});
    expect(responseIn(answer.text).allowed).to.equal(false);
    return (await dropped(gate)) > 0;
  });
}

async function expectAnswersAndEnd(gate: GateProcess): Promise<void> {
  expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
  const answer = await send(gate.url, gate.authority, removal, {});
  expect(responseIn(answer.text).allowed).to.equal(false);
  await gate.stop();
  expect(await gate.ended).to.equal(0);
}

describe('a log that nobody takes', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-logs-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('stops nothing when the disk is full; lines are counted', async () => {
    const full = openSync('/dev/full', 'w');
    const gate = await startGateProcess(['--log-level', 'trace'], { stderr: full });
    closeSync(full);
    await reviewUntilDropped(gate);
    await expectAnswersAndEnd(gate);
  });

  /** A pipe whose only reader does what `command` does. */
  function pipeTo(name: string, command: string): { fd: number; end: () => void } {
    const fifo = join(folder, name);
    spawnSync('mkfifo', [fifo]);
    const reader = spawn('sh', ['-c', `exec 3<"${fifo}"; ${command}`], { stdio: 'ignore' });
    return { fd: openSync(fifo, 'w'), end: () => reader.kill('SIGKILL') };
  }

  it('stops nothing when the pipe is full; lines are counted', async () => {
    const { fd, end } = pipeTo('unread', 'exec sleep 600');
    const gate = await startGateProcess(['--log-level', 'trace'], { stderr: fd });
    closeSync(fd);
    try {
      await reviewUntilDropped(gate);
      await expectAnswersAndEnd(gate);
    } finally {
      end();
    }
  });

  it('stops nothing when the reader has gone; lines are counted', async () => {
    const { fd, end } = pipeTo('closed', 'exec sleep 600');
    const gate = await startGateProcess(['--log-level', 'trace'], { stderr: fd });
    closeSync(fd);
    end();
    await reviewUntilDropped(gate);
    await expectAnswersAndEnd(gate);
  });
});
