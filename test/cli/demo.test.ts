/** `npm start`, the first command of the README. */
import { expect } from 'chai';
import { until } from '../server/until.js';
import { run, start } from './command.js';

describe('npm start', () => {
  it('with --once prints a verdict for each example and where metrics are, and ends', async () => {
    const { code, stdout, stderr } = await run(['demo', '--once']);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect([...stdout.matchAll(/^(\S+)\.yaml: (\w+)$/gm)].map(([line]) => line)).to.deep.equal([
      'enum-value-added.yaml: allowed',
      'field-removed.yaml: denied',
      'minimum-raised.yaml: denied',
      'required-added.yaml: denied',
      'scope-change.yaml: denied',
      'stored-version-removed.yaml: denied',
    ]);
    expect(stdout)
      .to.match(/^olm-guard ready https:\/\/127\.0\.0\.1:\d+ metrics http:\/\/127\.0\.0\.1:\d+$/m)
      .and.include('"NoScopeChange" validation failed: scope changed from "Namespaced" to')
      .and.include(
        'objects of samples.test.example.com can lose data at ^.spec.pollInterval: the field is gone\n',
      )
      .and.match(/^Metrics: http:\/\/127\.0\.0\.1:\d+\/metrics$/m);
    // The gate takes the reviews for an API server's.
    expect(stdout).not.to.include('is not the one in the cluster');
  });

  it('keeps serving until Ctrl-C', async () => {
    const demo = start(['demo']);
    try {
      await until(() => demo.stdout().includes('Serving until Ctrl-C.'));
      const metrics = /^Metrics: (\S+)$/m.exec(demo.stdout())?.[1] ?? '';
      const text = await (await fetch(metrics)).text();
      expect(text).to.match(
        /olm_guard_reviews_total\{resource="customresourcedefinitions",operation="UPDATE",decision="denied"\} 5/,
      );
      demo.process.kill('SIGINT');
      expect(await demo.ended).to.equal(0);
    } finally {
      demo.process.kill('SIGKILL');
    }
  });
});
