/** A schema node that is being made from another one; what changes is copied once, and the rest is shared. */
import { type SchemaKeywords, SchemaNode, type ValidationRule } from '../../kubernetes/index.js';

export class Draft {
  private parts:
    { -readonly [Keyword in keyof SchemaKeywords]: SchemaKeywords[Keyword] } | undefined;
  private properties: Map<string, SchemaNode> | undefined;
  private required: Set<string> | undefined;

  constructor(private node: SchemaNode) {}

  get rules(): readonly ValidationRule[] {
    return (this.parts ?? this.node).rules;
  }

  fieldOf(name: string): SchemaNode | undefined {
    return (this.properties ?? this.node.properties)?.get(name);
  }

  replace(node: SchemaNode): void {
    this.node = node;
    this.parts = undefined;
    this.properties = undefined;
    this.required = undefined;
  }

  /** Keywords other than `properties` and `required`. */
  set<Keyword extends keyof SchemaKeywords>(
    keyword: Keyword,
    value: SchemaKeywords[Keyword],
  ): void {
    if ((this.parts ?? this.node)[keyword] === value) return;
    this.parts ??= { ...this.node };
    this.parts[keyword] = value;
  }

  /** Without a node the field is no longer declared. */
  setField(name: string, node: SchemaNode | undefined): void {
    if (this.fieldOf(name) === node) return;
    this.properties ??= new Map(this.node.properties ?? []);
    if (node === undefined) this.properties.delete(name);
    else this.properties.set(name, node);
  }

  require(name: string, isRequired: boolean): void {
    this.required ??= new Set(this.node.required);
    if (isRequired) this.required.add(name);
    else this.required.delete(name);
  }

  /** The node itself where nothing has changed. */
  finish(): SchemaNode {
    if ((this.parts ?? this.properties ?? this.required) === undefined) return this.node;
    const { properties, required } = this.parts ?? this.node;
    return new SchemaNode({
      ...(this.parts ?? this.node),
      properties: this.properties ?? properties,
      required: this.required === undefined ? required : [...this.required],
    });
  }
}
