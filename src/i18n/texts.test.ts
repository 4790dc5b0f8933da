import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { builderTexts } from '../screens/builder/texts'

/** Checks the interface's sources: texts for people must come from the text files, and the keys used must exist. */
const root = join(import.meta.dirname, '../..')
const filesUnder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file))
const sources = [...filesUnder('src'), ...filesUnder('blocks')]
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|src\/widget\//.test(file))
  .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))

const namespaces = new Map<string, Record<string, unknown>>()
for (const file of filesUnder('src/i18n/en')) {
  namespaces.set(file.replace(/.*\/|\.json$/g, ''), JSON.parse(readFileSync(file, 'utf8')))
}
const kinds = filesUnder('blocks').filter((file) => file.endsWith('/en.json'))
namespaces.set(
  'blocks',
  Object.fromEntries(kinds.map((file) => [file.split('/').at(-2), JSON.parse(readFileSync(file, 'utf8'))])),
)

const place = (node: ts.Node) => {
  const file = node.getSourceFile()
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

test('no sentence stands in the markup: all come from the texts', () => {
  const found = sources.flatMap((file) => literalsIn(file))
  expect(found).toEqual([])
})

test('every text that the interface names exists', () => {
  const missing = sources.flatMap((file) => usesIn(file)).filter(({ namespace, key }) => !exists(namespace, key))
  expect(missing.map(({ at, namespace, key }) => `${at} ${namespace}:${key}`)).toEqual([])
})

test('every text of the app is used', () => {
  const uses = sources.flatMap((file) => usesIn(file))
  const unused = ['app', 'auth', 'projects', 'chatbots'].flatMap((namespace) =>
    keysOf(namespaces.get(namespace))
      .map((key) => key.replace(/_(zero|one|two|few|many|other)$/, ''))
      .filter((key) => !uses.some((use) => use.namespace === namespace && covers(use.key, key)))
      .map((key) => `${namespace}:${key}`),
  )
  expect(unused).toEqual([])
})

test('the builder has all its texts before it is drawn', () => {
  const parts =
    /\/(blocks|src\/(canvas|chatbots|comments|palette|preview|screens\/builder|templates|testEffects|text))\//
  const used = sources
    .filter(({ fileName }) => parts.test(fileName))
    .flatMap(({ text }) => [...text.matchAll(/useTranslation\((\[[^\]]*\]|'\w+')/g)])
    .flatMap(([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name))
  // `app` is there from the start
  expect([...new Set(used)].filter((name) => name !== 'app').sort()).toEqual([...builderTexts].sort())
})

const SPOKEN = /^(aria-label|title|label|placeholder|description|alt|hint|message|confirm|submit|done)$/
const saysSomething = (text: string) => /\p{L}{2,}/u.test(text) && !/^\w+:\/\/\S*$/.test(text)

/** Literal texts and accessible names in JSX; the content of Trans only shows the shape of its text. */
function literalsIn(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans') return
    if (ts.isJsxText(node) && saysSomething(node.text)) found.push(`${place(node)} ${node.text.trim()}`)
    if (
      ts.isJsxAttribute(node) &&
      SPOKEN.test(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      saysSomething(node.initializer.text)
    )
      found.push(`${place(node)} ${node.initializer.text}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

interface Use {
  namespace: string
  /** `*`: known only at run time */
  key: string
  at: string
}

/** Follows the results of `useTranslation` by name within their scope; `i18next.t` uses the app's texts. */
function usesIn(file: ts.SourceFile): Use[] {
  const uses: Use[] = []
  const visit = (node: ts.Node, scope: ReadonlyMap<string, string>) => {
    const inner = ts.isBlock(node) ? new Map([...scope, ...translatorsIn(node)]) : scope
    if (ts.isCallExpression(node)) {
      const namespace = node.expression.getText() === 'i18next.t' ? 'app' : inner.get(node.expression.getText())
      const [key] = node.arguments
      if (namespace && key) uses.push(...keysIn(key).map((text) => ({ ...split(text, namespace), at: place(node) })))
    }
    if (ts.isJsxAttributes(node)) uses.push(...transIn(node, inner))
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(file, new Map())
  return uses
}

/** `<Trans i18nKey="…">`, with its translator or the app's. */
function transIn(attributes: ts.JsxAttributes, scope: ReadonlyMap<string, string>): Use[] {
  const of = (wanted: string) => attributes.properties.find((attribute) => attribute.name?.getText() === wanted)
  const key = of('i18nKey')
  if (!key || !ts.isJsxAttribute(key) || !key.initializer || !ts.isStringLiteral(key.initializer)) return []
  const translator = of('t')
    ?.getText()
    .match(/\{(\w+)\}/)?.[1]
  const namespace = (translator && scope.get(translator)) ?? 'app'
  return [{ namespace, key: key.initializer.text, at: place(key) }]
}

function translatorsIn(block: ts.Block): [string, string][] {
  return block.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name, initializer }): [string, string][] => {
      const call = initializer?.getText().match(/^useTranslation\((?:\[?'(\w+)'.*)?\)$/)
      if (!call || !ts.isObjectBindingPattern(name)) return []
      const bound = name.elements.find((element) => (element.propertyName ?? element.name).getText() === 't')
      return bound ? [[bound.name.getText(), call[1] ?? 'app']] : []
    }),
  )
}

function keysIn(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...keysIn(node.whenTrue), ...keysIn(node.whenFalse)]
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')]
  return []
}

function split(text: string, namespace: string) {
  const [before = '', after] = text.split(':')
  return after === undefined ? { namespace, key: text } : { namespace: before, key: after }
}

function keysOf(texts: unknown, prefix = ''): string[] {
  if (typeof texts !== 'object' || texts === null) return [prefix.slice(0, -1)]
  return Object.entries(texts).flatMap(([key, value]) => keysOf(value, `${prefix}${key}.`))
}

const covers = (used: string, key: string) => new RegExp(`^${used.split('*').map(escapeRegExp).join('.+')}$`).test(key)

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function exists(namespace: string, used: string): boolean {
  return keysOf(namespaces.get(namespace)).some((key) =>
    covers(used, key.replace(/_(zero|one|two|few|many|other)$/, '')),
  )
}
