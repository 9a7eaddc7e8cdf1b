import { expect } from 'chai';
import type { JsonValue } from '../../text/documents/index.js';
import { corruptBase64, field, mismatch } from '../../text/go/index.js';
import { channelShape, packageShape, propertyShapes } from './shapes.js';

describe('decoding into shapes', () => {
  const rows: { rule: string; value: JsonValue; problem: string | undefined; shape?: string }[] = [
    {
      rule: 'fits',
      value: { name: 'a', entries: [{ name: 'x', skips: ['y'] }] },
      problem: undefined,
    },
    { rule: 'null changes nothing', value: { name: null, entries: null }, problem: undefined },
    { rule: 'unknown keys are passed over', value: { nope: 1 }, problem: undefined },
    {
      rule: 'names the innermost type and the whole path',
      value: { entries: [{ replaces: true }] },
      problem:
        'json: cannot unmarshal bool into Go struct field ChannelEntry.entries.replaces of type string',
    },
    {
      rule: 'lists',
      value: { entries: [{ skips: 'x' }] },
      problem:
        'json: cannot unmarshal string into Go struct field ChannelEntry.entries.skips of type []string',
    },
    {
      rule: 'keys without regard to case',
      value: { NAME: 1 },
      problem: 'json: cannot unmarshal number into Go struct field Channel.name of type string',
    },
    {
      rule: 'the first in the order of keys',
      value: { package: 1, entries: 'x' },
      problem:
        'json: cannot unmarshal string into Go struct field Channel.entries of type []declcfg.ChannelEntry',
    },
    {
      rule: 'at the root',
      value: 'x',
      problem: 'json: cannot unmarshal string into Go value of type property.GVK',
      shape: 'olm.gvk',
    },
    {
      rule: 'integers',
      value: { priority: 1.5 },
      problem:
        'json: cannot unmarshal number 1.5 into Go struct field Channel.priority of type int',
      shape: 'olm.channel',
    },
  ];
  for (const { rule, value, problem, shape } of rows) {
    it(rule, () => {
      expect(mismatch(value, propertyShapes.get(shape ?? '') ?? channelShape)).to.equal(problem);
    });
  }

  it('decodes base64', () => {
    expect(mismatch({ icon: { base64data: 'YQ=' } }, packageShape)).to.equal(
      'illegal base64 data at input byte 3',
    );
    expect(
      ['', 'YWJj', 'YQ==', 'YWJj\nYWJj', 'Y', 'YW!j', 'YQ==YQ==', 'YW-_'].map(corruptBase64),
    ).to.deep.equal([undefined, undefined, undefined, undefined, 0, 2, 4, 2]);
  });

  it('finds a field by its exact name or another case, and not in the prototype', () => {
    expect(field({ Name: 'a', name: 'b' }, 'name')).to.equal('b');
    expect(field({ NAME: 'a' }, 'name')).to.equal('a');
    expect(field({}, 'constructor')).to.equal(undefined);
  });
});
