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

  it('shows a need that nothing meets', () => {
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
