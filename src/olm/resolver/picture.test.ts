import { expect } from 'chai';
import type { NamespaceState } from './namespace.js';
import { pictureOf, type ResolutionPicture } from './picture.js';
import { loadCatalogs, resolve } from './resolve.js';
import { namespaceWith, needsApi, needsPackage } from './testdata/small-namespace.js';

function pictured(state: NamespaceState): ResolutionPicture {
  return pictureOf('ns', resolve(state, loadCatalogs(state.catalogs ?? [])));
}

/** Lines as `from > to`, by title. */
function linesOf({ boxes, lines }: ResolutionPicture): string[] {
  const titles = new Map(boxes.map(({ id, title }) => [id, title]));
  return lines.map(({ from, to, kind }) => {
    const arrow = kind === 'out' ? 'x' : '>';
    return `${titles.get(from) ?? '?'} ${arrow} ${titles.get(to) ?? '?'}`;
  });
}

describe('the picture of a resolution', () => {
  it('leads from the subscription through needs to what was chosen', () => {
    const picture = pictured(
      namespaceWith(
        [
          { name: 'a.v1.0.0', needs: [needsPackage('b', '>=1.0.0')] },
          { name: 'b.v1.0.0' },
          { name: 'b.v2.0.0' },
        ],
        [{ package: 'a' }],
      ),
    );
    expect(linesOf(picture)).to.deep.equal([
      'a > a.v1.0.0',
      'a.v1.0.0 > package b in range >=1.0.0',
      'package b in range >=1.0.0 > b.v2.0.0',
    ]);
    expect(picture.boxes.map(({ kind, title }) => `${kind} ${title}`)).to.have.members([
      'subscription a',
      'install a.v1.0.0',
      'need package b in range >=1.0.0',
      'install b.v2.0.0',
    ]);
  });

  it('shows an upgrade that is held back, and what it conflicts with', () => {
    const state = namespaceWith(
      [
        { name: 'a.v1.0.0' },
        { name: 'a.v2.0.0', replaces: 'a.v1.0.0' },
        { name: 'b.v1.0.0', needs: [needsPackage('a', '<2.0.0')] },
      ],
      [{ package: 'b' }, { package: 'a' }],
    );
    const picture = pictured(state);
    expect(picture.boxes.find(({ kind }) => kind === 'blocked')).to.include({
      title: 'a.v2.0.0',
      note: 'b.v1.0.0 needs package a in range <2.0.0',
    });
    expect(linesOf(picture)).to.include.members([
      'a x a.v2.0.0',
      'a.v2.0.0 x a.v1.0.0',
      'package a in range <2.0.0 > a.v1.0.0',
    ]);
  });

  it('counts what is held back and too many to draw', () => {
    const unmet = Array.from({ length: 9 }, (_, index) => ({
      name: `a.v2.0.${index}`,
      replaces: index === 0 ? 'a.v1.0.0' : `a.v2.0.${index - 1}`,
      needs: [needsApi('Gone')],
    }));
    const { boxes, lines } = pictured(
      namespaceWith([{ name: 'a.v1.0.0' }, ...unmet], [{ package: 'a' }]),
    );
    const blocked = boxes.filter(({ kind }) => kind === 'blocked').map(({ title }) => title);
    expect(blocked).to.deep.equal(['a.v2.0.8', 'a.v2.0.7', 'a.v2.0.6', 'and 6 more']);
    expect(lines.length).to.be.below(20);
  });

  it('shows a dependency that nothing satisfies', () => {
    const picture = pictured(
      namespaceWith([{ name: 'a.v1.0.0', needs: [needsApi('Gone')] }], [{ package: 'a' }]),
    );
    const out = linesOf(picture).filter((line) => line.includes(' x '));
    expect(out.join()).to.match(/^the API Gone .* x nothing meets this$/);
  });

  it('shows both sides of a conflict, and the rule they break', () => {
    const picture = pictured(
      namespaceWith(
        [
          { name: 'a.v1.0.0', needs: [needsPackage('c', '<2.0.0')] },
          { name: 'b.v1.0.0', needs: [needsPackage('c', '>=2.0.0')] },
          { name: 'c.v1.0.0' },
          { name: 'c.v2.0.0' },
        ],
        [{ package: 'a' }, { package: 'b' }],
      ),
    );
    expect(linesOf(picture).filter((line) => line.includes(' x '))).to.deep.equal([
      'c.v1.0.0 x package c',
      'c.v2.0.0 x package c',
    ]);
  });

  it('counts candidates that are too many to draw', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: `b.v1.0.${index}`,
      needs: [needsApi('Gone')],
    }));
    const picture = pictured(
      namespaceWith(
        [{ name: 'a.v1.0.0', needs: [needsPackage('b', '>=1.0.0')] }, ...many],
        [{ package: 'a' }],
      ),
    );
    expect(picture.boxes.map(({ title }) => title)).to.include('and 14 more');
  });

  it('has no boxes where resolution ended before anything was chosen', () => {
    const state = namespaceWith([{ name: 'a.v1.0.0' }], [{ package: 'a' }]);
    expect(pictured({ ...state, operatorGroups: [] }).boxes).to.deep.equal([]);
  });
});
