/** `-o html` as people meet it: on a desk, on a phone, in the dark, on paper, by keyboard, by ear. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { run } from '../cli/command.js';
import { openBrowser, picture, pictures } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const definition = (spec: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
${spec}`;
const oldText = definition(`              properties:
                size: { type: integer, minimum: 1 }
                color: { type: string, enum: [red, green] }
                gone: { type: string }
                quiet: { type: string }
                parts: { type: array, items: { type: object, properties: { name: { type: string, maxLength: 30 } } } }
`);
const newText = definition(`              required: [size]
              properties:
                size: { type: integer, minimum: 2 }
                color: { type: string, enum: [red], description: "<img src=x onerror=alert(1)>" }
                quiet: { type: string }
                parts: { type: array, items: { type: object, properties: { name: { type: string, maxLength: 3 } } } }
                fresh: { type: object, properties: { inside: { type: string } } }
`);

interface View {
  readonly name: string;
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}
const desk: View = { name: 'desk', width: 1280, scheme: 'light' };
const views: readonly View[] = [
  desk,
  { name: 'dark', width: 1280, scheme: 'dark' },
  { name: 'phone', width: 390, scheme: 'light' },
];

describe('the report as a page', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-page-'));
  const file = join(folder, 'report.html');
  before(async () => {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(folder, 'old.yaml'), oldText);
    writeFileSync(join(folder, 'new.yaml'), newText);
    const { stdout, code } = await run(['check', 'crd', 'old.yaml', 'new.yaml', '-o', 'html'], {
      cwd: folder,
    });
    expect(code).to.equal(1);
    writeFileSync(file, stdout);
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open({ width, scheme }: View): Promise<{ page: Page; asked: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', () => asked.push('a dialog'));
    page.on('pageerror', (error) => asked.push(String(error)));
    await page.goto(`file://${file}`);
    return { page, asked };
  }

  for (const view of views) {
    it(`${view.name}: fits, loads nothing, and has no serious fault for who cannot see it`, async () => {
      const { page, asked } = await open(view);
      await page.screenshot({ path: join(pictures, `report-${view.name}.png`), fullPage: true });
      expect(asked).to.deep.equal([`file://${file}`]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      ).to.be.at.most(0);
      // By itself, since the page lets no script be added.
      const found = await page.evaluate<string[]>(
        `${axe}; axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html].join(' ')))`,
      );
      expect(found.filter((each) => /^(serious|critical)/.test(each))).to.deep.equal([]);
      await page.close();
    });
  }

  it('names its keys where there is a keyboard, and not on a phone or under a finger', async () => {
    const touched = { hasTouch: true, isMobile: true, viewport: { width: 1280, height: 900 } };
    for (const [options, isNamed] of [
      [{ viewport: { width: 1280, height: 900 } }, true],
      [{ viewport: { width: 390, height: 900 } }, false],
      [touched, false],
    ] as const) {
      const page = await browser.newPage(options);
      await page.goto(`file://${file}`);
      expect(await page.locator('.keys').isVisible(), JSON.stringify(options)).to.equal(isNamed);
      await page.close();
    }
  });

  it("draws the README's first command", async () => {
    const { stdout } = await run([
      ...['check', 'crd', 'examples/cluster', 'examples/upgrades/field-removed.yaml'],
      ...['-o', 'html'],
    ]);
    const page = await browser.newPage({ viewport: { width: 1180, height: 760 } });
    await page.setContent(stdout);
    expect(await page.locator('h1').textContent()).to.equal(
      'Objects of samples.test.example.com would lose spec.pollInterval',
    );
    expect(await page.locator('.tools').count(), 'of one finding nothing is filtered').to.equal(0);
    await picture(page, 'report.png');
    await page.close();
  });

  for (const [args, says] of [
    [
      [
        'check',
        'bundle',
        'examples/bundles/reports.v1.1.0',
        '--against',
        'examples/bundles/reports.v1.0.0',
      ],
      'denied',
    ],
    [['catalog', 'diff', 'examples/catalogs/before', 'examples/catalogs/after'], 'reports'],
    [['scan', '--state', 'examples/olm'], 'olm-guard'],
  ] as const) {
    it(`${args.slice(0, 2).join(' ')} has one too`, async () => {
      const { stdout, stderr } = await run([...args, '-o', 'html']);
      expect(stdout, stderr).to.match(/^<!doctype html>/);
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      await page.setContent(stdout);
      expect(await page.locator('main').textContent()).to.include(says);
      expect(await page.locator('.finding').count()).to.be.above(0);
      expect(faults).to.deep.equal([]);
      await page.close();
    });
  }

  it('says in one sentence who is hurt, and on each card what changes, what happens and the fix', async () => {
    const { page } = await open(desk);
    expect(await page.locator('.banner .word').textContent()).to.equal('Denied');
    expect(await page.locator('h1').textContent()).to.equal(
      'Objects of widgets.example.com would be refused at spec: new required fields added: [size]',
    );
    const card = (rule: string) => page.locator(`.finding[data-rule="${rule}"]`);
    const size = card('MinimumRaised');
    expect(await size.locator('h3').textContent()).to.include('breaks objects spec.size');
    const [change, fix] = await size.locator('.diff').allTextContents();
    expect(change).to.equal('  spec:\n    size:\n−     minimum: 1\n+     minimum: 2');
    expect(fix).to.equal('  properties.size:\n−   minimum: 2\n+   minimum: 1');
    expect(await size.locator('mark').allTextContents()).to.deep.equal(['  size: 1']);
    expect(await card('MaxLengthLowered').locator('mark').allTextContents()).to.deep.equal([
      '    - name: aaaa',
    ]);
    expect(await card('FieldRemoved').locator('mark').allTextContents()).to.deep.equal([
      '  gone: example',
    ]);
    expect(await card('FieldRemoved').locator('.diff .old').first().textContent()).to.equal(
      '−   gone:',
    );
    await page.close();
  });

  it('folds what harms nobody and what did not change', async () => {
    const { page } = await open(desk);
    const harmless = page.locator('details.harmless');
    expect(await harmless.locator('> summary').textContent()).to.equal('1 harmless change');
    expect(await harmless.locator('.finding').first().isVisible()).to.equal(false);
    const schema = page.locator('details.schema');
    await schema.locator('> summary').click();
    expect(await schema.locator('summary > code:text-is("quiet")').count()).to.equal(0);
    expect(await schema.getByText('unchanged:').first().textContent()).to.include('quiet');
    await page.close();
  });

  it('links to a card, which opens where it is folded away', async () => {
    const { page } = await open(desk);
    const id = await page.locator('details.harmless .finding').first().getAttribute('id');
    await page.goto(`file://${file}#${id}`);
    await page.reload();
    expect(await page.locator('details.harmless .finding').first().isVisible()).to.equal(true);
    const ids = await page
      .locator('.finding')
      .evaluateAll((all) => all.map((each) => (each as unknown as { id: string }).id));
    expect(new Set(ids).size).to.equal(ids.length);
    const link = page.locator('.finding a.anchor').first();
    expect(await link.getAttribute('href')).to.equal(`#${ids[0]}`);
    await page.close();
  });

  it('searches and filters', async () => {
    const { page } = await open(desk);
    const visible = page.locator('.finding:visible');
    const all = await page.locator('.finding').count();
    await page.selectOption('#rule', 'EnumValueRemoved');
    expect(await visible.count()).to.equal(1);
    expect(await page.locator('#shown').textContent()).to.equal(`1 of ${all} findings`);
    await page.selectOption('#rule', '');
    await page.fill('#find', 'gone');
    for (const text of await visible.allTextContents()) expect(text).to.include('gone');
    await page.close();
  });

  it('can be used by keyboard alone', async () => {
    const { page } = await open(desk);
    const focused = () =>
      page.evaluate<string>('document.activeElement.className + document.activeElement.id');
    await page.keyboard.press('n');
    expect(await focused()).to.match(/^finding/);
    const first = await page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('n');
    expect(await page.evaluate('document.activeElement.textContent')).not.to.equal(first);
    await page.keyboard.press('p');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal(first);
    await page.keyboard.press('/');
    expect(await focused()).to.equal('find');
    await page.keyboard.type('minimumraised');
    expect(await page.locator('.finding:visible').count()).to.equal(1);
    await page.keyboard.press('Escape');
    expect(await page.locator('.finding:visible').count()).to.be.above(1);
    await page.close();
  });

  it('prints whole, without what paper cannot do', async () => {
    const { page } = await open(desk);
    await page
      .locator('details')
      .first()
      .evaluate((branch) => ((branch as unknown as { open: boolean }).open = false));
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('.tools').isVisible()).to.equal(false);
    expect(await page.locator('.finding:visible').count()).to.equal(
      await page.locator('.finding').count(),
    );
    await page.screenshot({ path: join(pictures, 'report-print.png'), fullPage: true });
    await page.close();
  });

  it('copies an object by its button', async () => {
    const { page } = await open(desk);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('button[data-copy^="object"]').first().click();
    await page.locator('button[data-copy^="object"]:text-is("Copied")').waitFor();
    await page.close();
  });
});
