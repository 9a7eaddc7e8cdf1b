import { expect } from 'chai';
import type { PictureBox, ResolutionPicture } from '../../olm/resolver/picture.js';
import { layOutPicture, type PlacedBox } from './layout.js';
import { renderResolutionPicture } from './svg.js';

function picture(...pairs: readonly (readonly [from: string, to: string])[]): ResolutionPicture {
  const ids = [...new Set(pairs.flat())];
  const boxes = ids.map((id): PictureBox => ({ id, title: id, note: '', kind: 'candidate' }));
  const lines = pairs.map(([from, to]) => ({ from, to, kind: 'met-by' as const }));
  return { title: 'a picture', boxes, lines };
}

function overlap(a: PlacedBox, b: PlacedBox): boolean {
  const otherHarm = a.x + a.width <= b.x || b.x + b.width <= a.x;
  return !otherHarm && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe('the layout of a resolution', () => {
  const rows: readonly [rule: string, given: ResolutionPicture][] = [
    ['a chain', picture(['a', 'b'], ['b', 'c'])],
    ['a circle', picture(['a', 'b'], ['b', 'c'], ['c', 'a'])],
    ['a line to itself', picture(['a', 'a'])],
    ['a diamond', picture(['a', 'b'], ['a', 'c'], ['b', 'd'], ['c', 'd'], ['a', 'd'])],
    [
      'many to many',
      picture(...[...'abcdef'].flatMap((from) => [...'uvwxyz'].map((to) => [from, to] as const))),
    ],
  ];
  for (const [rule, given] of rows) {
    it(`${rule}: every box has a place of its own, within the picture`, () => {
      const { boxes, width, height } = layOutPicture(given);
      expect(boxes.length).to.equal(given.boxes.length);
      for (const [index, box] of boxes.entries()) {
        const touched = boxes.slice(index + 1).filter((other) => overlap(box, other));
        expect(touched.map((other) => other.box.id)).to.deep.equal([]);
        expect(box.x + box.width).to.be.at.most(width);
        expect(box.y + box.height).to.be.at.most(height);
      }
    });
  }

  it('puts what a line leads to on the right, but for the line that closes a circle', () => {
    const { lines } = layOutPicture(picture(['a', 'b'], ['b', 'c'], ['c', 'a']));
    expect(lines.map(({ from, to }) => to.x > from.x)).to.deep.equal([true, true, false]);
  });

  it('puts what is held back above what was taken for it', () => {
    const given = picture(
      ['s', 'a.v1'],
      ['s', 'a.v2'],
      ['a.v2', 'a.v1'],
      ['b', 'n'],
      ['n', 'a.v1'],
    );
    const kinds = { 'a.v1': 'keep', 'a.v2': 'blocked' } as const;
    const boxes = given.boxes.map((box) => ({
      ...box,
      ...(box.id in kinds && { kind: kinds[box.id as keyof typeof kinds] }),
    }));
    const placed = new Map(
      layOutPicture({ ...given, boxes }).boxes.map((each) => [each.box.id, each]),
    );
    const [taken, held] = [placed.get('a.v1'), placed.get('a.v2')];
    expect(held?.x).to.equal(taken?.x);
    expect(held?.y).to.be.below(taken?.y ?? 0);
  });

  it('looks at each line once, however long a chain is', () => {
    for (const length of [100, 1000]) {
      const chain = Array.from({ length }, (_, index) => [`${index}`, `${index + 1}`] as const);
      const steps = { count: 0 };
      const { boxes } = layOutPicture(picture(...chain), steps);
      expect(new Set(boxes.map(({ x }) => x)).size).to.equal(length + 1);
      expect(steps.count).to.equal(length);
    }
  });

  it('writes names as text, not as markup', () => {
    const svg = renderResolutionPicture(picture(['<script>', 'b&"']));
    expect(svg).to.include('&lt;script&gt;').and.not.to.include('<script>');
  });
});
