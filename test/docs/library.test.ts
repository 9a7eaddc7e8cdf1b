/** The library's reference is made of docstrings: everything it exports has one. */
import { expect } from 'chai';
import { join } from 'node:path';
import ts from 'typescript';
import { libraryEntries } from '../../build/library-entries.js';

const root = join(import.meta.dirname, '..', '..');

describe('the library', () => {
  const files = libraryEntries.map(({ file }) => join(root, file));
  const program = ts.createProgram(files, {
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, resolveJsonModule: true },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, types: [] },
  });
  const checker = program.getTypeChecker();

  it('has five entries', () => {
    expect(libraryEntries.map(({ name }) => name)).to.have.members(
      ['', '/catalogs', '/cel', '/operations', '/resolver'].map((path) => `olm-guard${path}`),
    );
  });

  for (const { name, file } of libraryEntries) {
    it(`says what each export of ${name} is`, () => {
      const source = program.getSourceFile(join(root, file));
      const module = source && checker.getSymbolAtLocation(source);
      const exported = module ? checker.getExportsOfModule(module) : [];
      const isAlias = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const undocumented = exported
        .map((symbol) => (isAlias(symbol) ? checker.getAliasedSymbol(symbol) : symbol))
        .filter((symbol) => symbol.getDocumentationComment(checker).length === 0)
        .map((symbol) => symbol.name);
      const usual = name === 'olm-guard/cel' ? 'CelError' : 'Answer';
      expect(exported.map((symbol) => symbol.name)).to.include(usual);
      expect(undocumented).to.deep.equal([]);
    });
  }
});
