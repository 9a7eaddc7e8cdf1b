/** `serve --check` where no cluster is asked; test/cluster/doctor.test.ts has the rest. */
import { expect } from 'chai';
import { run } from './command.js';

describe('serve --check', () => {
  const problems: [options: string[], sentence: RegExp][] = [
    [['--state=nowhere'], /^problem {2}nowhere: there is no such/m],
    [
      ['--tls-secret=olm-guard-tls'],
      /^problem {2}--tls-secret needs a cluster: give --kubeconfig/m,
    ],
    [['--metrics-access=authorized'], /^problem {2}--metrics-access=authorized needs a cluster/m],
    [['--listen=nonsense'], /^problem {2}"nonsense" is not an address/m],
    [['--policy=README.md'], /^problem {2}README\.md:\d+:\d+: is not YAML/m],
    [['--client-ca-file=README.md'], /^problem {2}README\.md: is not a PEM certificate$/m],
    [
      ['--tls-cert-file=README.md'],
      /^problem {2}--tls-cert-file and --tls-private-key-file belong/m,
    ],
  ];
  for (const [options, sentence] of problems) {
    it(`sees what is wrong with ${options.join(' ')}`, async () => {
      const { code, stdout } = await run(['serve', '--check', ...options]);
      expect(stdout).to.match(sentence);
      expect(code).to.equal(1);
    });
  }

  it('is content with what would start, and says what it did not look at', async () => {
    const { code, stdout } = await run(['serve', '--check', '--catalog=examples/catalogs']);
    expect(stdout).to.match(/^ok {7}the policy can be read$/m);
    expect(stdout).to.match(/^unknown {2}catalogs are not read here/m);
    expect(stdout).to.match(/^unknown {2}no API server is named/m);
    expect(code).to.equal(0);
  });
});
