import { expect } from 'chai';
import type { Path } from '../../text/documents/index.js';
import { GoTypes } from './go-types.js';

const file = (path: string, text: string): { file: string; path: string; text: string } => ({
  ...{ file: path, path, text },
});

const types = new GoTypes([
  file(
    'v1/widget.go',
    `/* type Widget struct { } */
package v1

import (
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"example.com/api/common"
)

const text = \`type Widget struct {\`

type (
	// +kubebuilder:validation:Minimum=1
	Size int32
	Sizes []Size
)

// +kubebuilder:resource:scope=Cluster
// +kubebuilder:printcolumn:name="Size",type=integer
type Widget struct {
	meta.TypeMeta   \`json:",inline"\`
	meta.ObjectMeta \`json:"metadata,omitempty"\`
	Spec *WidgetSpec \`json:"spec,omitempty"\` // +kubebuilder:validation:MinProperties=1
	Status struct {
		// +listType=map
		// +listMapKey=name
		Parts []Part \`json:"parts"\`
	} \`json:"status"\`
}
func (w Widget) Sum() (n int) { type Part struct{}; return }`,
  ),
  file(
    'v1/spec.go',
    `package v1
import "example.com/api/common"
type WidgetSpec struct {
	Shared \`json:",inline"\`
	A, B string
	Call func(a int) (struct{ x int }, error) \`json:"-"\`
	Size Size \`json:"size"\`; Sizes Sizes \`json:"sizes"\`
	// +kubebuilder:validation:XValidation:rule="true"
	Common map[string]map[string]*common.Part \`json:"common"\`
	Any interface{ Do(); Undo() } \`json:"any"\`
	Fixed [4]Part \`json:"fixed"\`
	Loop Loop \`json:"loop"\`
}
type Loop = Back
type Back Loop
type Shared struct { *Shared; Label string \`json:"label"\` }
type Part struct {
	Name string \`json:"name"\`
}`,
  ),
  file('common/part.go', 'package common\ntype Part struct {\n\tCode string `json:"code"`\n}'),
  file(
    'v2/widget.go',
    '// +versionName=v2beta1\npackage second\ntype Widget struct { Spec int `json:"spec"` }',
  ),
]);

const schema = (...keys: Path): Path => [
  'spec',
  'versions',
  0,
  'schema',
  'openAPIV3Schema',
  ...keys,
];
const field = (...names: string[]): Path =>
  schema(...names.flatMap((name) => ['properties', name]));

describe('places in Go types', () => {
  const rows: [name: string, keys: Path, place: string][] = [
    ['the type', [], 'v1/widget.go:19:6'],
    ['a marker of the type', ['spec', 'scope'], 'v1/widget.go:17:1'],
    ['columns', ['spec', 'versions', 0, 'additionalPrinterColumns', 0], 'v1/widget.go:18:1'],
    ['what has no marker', ['spec', 'versions', 0, 'storage'], 'v1/widget.go:19:6'],
    ['a field', field('spec'), 'v1/widget.go:22:2'],
    ['a field of another file', field('spec', 'size'), 'v1/spec.go:7:2'],
    ['a second field of a line', field('spec', 'sizes'), 'v1/spec.go:7:27'],
    ['an embedded field', field('spec', 'label'), 'v1/spec.go:16:31'],
    ['a marker of a type', [...field('spec', 'size'), 'minimum'], 'v1/widget.go:12:2'],
    ['a marker of elements', [...field('spec', 'sizes'), 'items', 'minimum'], 'v1/widget.go:12:2'],
    ['a rule', [...field('spec', 'common'), 'x-kubernetes-validations', 0], 'v1/spec.go:8:2'],
    [
      'an inner struct',
      [...field('status', 'parts'), 'x-kubernetes-list-map-keys'],
      'v1/widget.go:25:3',
    ],
    ['a list type', [...field('status', 'parts'), 'x-kubernetes-list-type'], 'v1/widget.go:24:3'],
    [
      'a field of elements',
      [...field('status', 'parts'), 'items', 'properties', 'name'],
      'v1/spec.go:18:2',
    ],
    ['required fields', [...field('status', 'parts'), 'items', 'required'], 'v1/spec.go:17:6'],
    [
      'a field that is gone',
      [...field('spec', 'fixed'), 'items', 'properties', 'x'],
      'v1/spec.go:17:6',
    ],
    [
      'a package beside',
      [...field('spec', 'common'), ...['additionalProperties', 'additionalProperties']].concat([
        'properties',
        'code',
      ]),
      'common/part.go:3:2',
    ],
    ['a type that is nowhere', [...field('metadata'), 'properties', 'name'], 'v1/widget.go:21:2'],
    ['a type that is itself', [...field('spec', 'loop'), 'properties', 'a'], 'v1/spec.go:14:6'],
    ['a marker behind a line', [...field('spec'), 'minProperties'], 'v1/widget.go:22:2'],
  ];
  for (const [name, keys, place] of rows) {
    it(`are those of ${name}`, () => {
      const { file: found, line, column } = types.placeOf('Widget', 'v1', keys) ?? {};
      expect(`${found}:${line}:${column}`).to.equal(place);
    });
  }

  it('are those of the version, by the name of its package or a marker', () => {
    expect(types.placeOf('Widget', 'v2beta1', field('spec'))?.file).to.equal('v2/widget.go');
    expect(types.placeOf('Widget', undefined, [])?.file).to.equal('v1/widget.go');
    expect(types.placeOf('Gadget', 'v1', [])).to.equal(undefined);
  });

  it('are found in any text without errors', () => {
    const texts = [
      'type',
      'type (',
      'type A struct {',
      'type A struct { a',
      'import (',
      'import',
      'type A [',
      'type A map[',
    ];
    for (const text of [
      ...texts,
      `type A ${'['.repeat(100_000)}`,
      `type A ${'*'.repeat(100_000)}`,
      '`',
      '/*',
      '"',
      "'",
      '(((',
      'type A struct { ; , }',
    ]) {
      expect(
        () => new GoTypes([file('a.go', `package a\n${text}`)]).placeOf('A', 'a', []),
        text.slice(0, 30),
      ).not.to.throw();
    }
  });
});
