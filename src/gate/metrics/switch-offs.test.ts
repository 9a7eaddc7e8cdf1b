import { expect } from 'chai';
import { Registry } from 'prom-client';
import { defaultPolicy } from '../../policy/policy.js';
import { registerSwitchOffs } from './switch-offs.js';

const crd = (name: string, annotations: Record<string, string>) => ({
  kind: 'CustomResourceDefinition',
  metadata: { name, annotations },
});
const far = new Date(Date.now() + 86_400_000);
const farther = new Date(Date.now() + 2 * 86_400_000);
const off = { 'olm-guard.io/disable': 'all' };
const until = (date: Date) => ({ ...off, 'olm-guard.io/disable-until': date.toISOString() });

describe('registerSwitchOffs', () => {
  async function scraped(objects: object[], bypass = defaultPolicy.bypass): Promise<string> {
    const registry = new Registry();
    registerSwitchOffs(registry, {
      objects: (kind) =>
        objects.filter((each) => (each as { kind: string }).kind === kind) as never,
      bypass: () => bypass,
    });
    return registry.metrics();
  }

  it('counts those in force, and says when the next one ends', async () => {
    const text = await scraped([
      crd('a', off),
      crd('b', until(farther)),
      crd('c', until(far)),
      crd('expired', until(new Date(0))),
      crd('malformed', { 'olm-guard.io/disable': 'everything' }),
      crd('none', {}),
    ]);
    expect(text).to.include('olm_guard_switch_offs{by="crd"} 3\n');
    const seconds = far.getTime() / 1000;
    expect(text).to.include(`olm_guard_switch_off_expiry_timestamp_seconds{by="crd"} ${seconds}\n`);
  });

  it('has no end to tell of one without', async () => {
    expect(await scraped([crd('a', off)])).to.not.match(/^olm_guard_switch_off_expiry_\w+\{/m);
  });

  it('counts none that the policy does not allow', async () => {
    const text = await scraped([crd('a', off)], { ...defaultPolicy.bypass, allowed: false });
    expect(text).to.not.match(/^olm_guard_switch_offs\{/m);
  });
});
