import type {
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  FunctionExpression,
  MemberExpression,
  NewExpression,
  Node,
} from 'acorn'
import { asNumber, atom, callOf, compound, quoted, type Scope, type Source, Untranslatable, wrapped } from './source'

type Translate = (node: Node, scope: Scope) => Source

/** `new Date()` and `new Date(text)`. */
export function translateNew({ callee, arguments: args }: NewExpression, scope: Scope, translate: Translate): Source {
  if (callee.type !== 'Identifier' || callee.name !== 'Date' || args.length > 1)
    throw new Untranslatable('makes an object')
  const [of] = args
  return of ? callOf('date', [translate(of, scope)], 'date') : atom('now()', 'date')
}

/** A call of a function that has an equivalent here. */
export function translateCall(
  { callee, arguments: given }: CallExpression,
  scope: Scope,
  translate: Translate,
): Source {
  if (callee.type === 'Identifier') {
    const called = GLOBAL.get(callee.name)
    if (!called || scope.locals.has(callee.name)) throw new Untranslatable(`calls “${callee.name.slice(0, 40)}”`)
    return called(given.map((arg) => translate(arg, scope)))
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    throw new Untranslatable('calls a function by code')
  const { object } = callee as MemberExpression
  const name = callee.property.name
  if (object.type === 'Identifier' && !scope.locals.has(object.name) && NAMESPACES.has(object.name)) {
    const called = GLOBAL.get(`${object.name}.${name}`)
    if (!called) throw new Untranslatable(`calls “${object.name}.${name.slice(0, 40)}”`)
    return called(given.map((arg) => translate(arg, scope)))
  }
  const of = translate(object, scope)
  if (EACH.has(name)) return each(name, of, given, scope, translate)
  const args = given.map((arg) => translate(arg, scope))
  const method = of.type === 'date' ? DATE_METHODS.get(name) : (METHODS.get(name) ?? null)
  if (!method) throw new Untranslatable(`calls “${name.slice(0, 40)}”`)
  return method(of, args)
}

/** A list method with a callback of one parameter. */
function each(
  name: string,
  of: Source,
  [given, ...more]: CallExpression['arguments'],
  scope: Scope,
  translate: Translate,
) {
  if (!given || (given.type !== 'ArrowFunctionExpression' && given.type !== 'FunctionExpression') || more.length > 0)
    throw new Untranslatable(`calls “${name}” with more than a function`)
  const { params, body, async } = given as ArrowFunctionExpression | FunctionExpression
  const [param, ...others] = params
  if (param?.type !== 'Identifier' || others.length > 0 || async)
    throw new Untranslatable(`calls “${name}” with a function of several values`)
  const item = itemName(param.name, scope)
  const inner = { ...scope, locals: new Map(scope.locals).set(param.name, atom(item)) }
  const result =
    body.type === 'BlockStatement'
      ? scope.run((body as unknown as { body: Node[] }).body, inner)
      : translate(body as Expression, inner)
  const list = name === 'map' || name === 'filter'
  return atom(`${wrapped(of)}.${name}(${item} => ${result.text})`, list ? 'list' : 'unknown')
}

/** A unique name for a callback's parameter, so that nested callbacks shadow nothing. */
const itemName = (name: string, scope: Scope): string => {
  const clean = /^[a-zA-Z][a-zA-Z0-9]{0,20}$/.test(name) ? name : 'item'
  const taken = new Set([...scope.locals.values()].map(({ text }) => text))
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${clean}_` : `${clean}_${count}`
    if (!taken.has(candidate)) return candidate
  }
}

const EACH = new Set(['map', 'filter', 'find', 'some', 'every'])
const NAMESPACES = new Set(['Math', 'JSON', 'Date', 'Number', 'Object', 'Array', 'String'])

type Global = (args: Source[]) => Source
type Method = (of: Source, args: Source[]) => Source

const to =
  (name: string, type: Source['type'] = 'unknown'): Global =>
  (args) =>
    callOf(name, args, type)
const numeric =
  (name: string): Global =>
  (args) =>
    callOf(name, args.map(asNumber), 'number')

const GLOBAL = new Map<string, Global>([
  ...['round', 'floor', 'ceil', 'trunc', 'abs', 'sqrt', 'pow', 'min', 'max', 'random'].map((name): [string, Global] => [
    `Math.${name}`,
    numeric(name),
  ]),
  ['Number', numeric('number')],
  ['Number.parseFloat', numeric('number')],
  ['Number.parseInt', numeric('parseInt')],
  ['parseFloat', numeric('number')],
  ['parseInt', numeric('parseInt')],
  ['isNaN', (args) => compound(`!${callOf('isNumber', args).text}`)],
  ['Boolean', ([of = atom('null')]) => compound(`!(!${wrapped(of)})`, 'boolean')],
  ['String', (args) => callOf('text', args.map(noDate), 'text')],
  ['JSON.stringify', to('toJson', 'text')],
  ['JSON.parse', to('parseJson')],
  ['Date.now', () => atom('timestamp(now())', 'number')],
  ['Object.keys', to('keys', 'list')],
  ['Object.values', to('values', 'list')],
  ['encodeURIComponent', to('urlEncode', 'text')],
])

const method =
  (name: string, type: Source['type'] = 'unknown'): Method =>
  (of, args) =>
    callOf(name, [noDate(of), ...args], type)

function noDate(source: Source): Source {
  if (source.type === 'date') throw new Untranslatable('prints a date without saying how')
  return source
}

const METHODS = new Map<string, Method>([
  ...['toUpperCase', 'toLowerCase', 'trim'].map((name): [string, Method] => [
    name,
    (of) => atom(`${wrapped(of)}.${name}()`, 'text'),
  ]),
  ...['includes', 'startsWith', 'endsWith', 'indexOf', 'slice', 'substring'].map((name): [string, Method] => [
    name,
    (of, args) => atom(`${wrapped(of)}.${name}(${args.map(({ text }) => text).join(', ')})`),
  ]),
  ['replaceAll', method('replaceAll', 'text')],
  ['split', method('split', 'list')],
  ['padStart', method('padStart', 'text')],
  ['padEnd', method('padEnd', 'text')],
  ['repeat', method('repeat', 'text')],
  ['toFixed', method('fixed', 'text')],
  ['toString', (of, args) => (args.length > 0 ? noBase() : callOf('text', [noDate(of)], 'text'))],
  ['join', (of, [between = quoted(',')]) => callOf('join', [of, between], 'text')],
  [
    'concat',
    (of, args) => callOf('concat', [of, ...args], of.type === 'list' || of.type === 'text' ? of.type : 'unknown'),
  ],
  ['at', (of, [index = atom('0')]) => atom(`${wrapped(of)}[${index.text}]`)],
  ['charAt', (of, [index = atom('0')]) => atom(`${wrapped(of)}[${index.text}]`, 'text')],
  ['push', (of, args) => callOf('length', [callOf('append', [of, ...args])], 'number')],
  ['reverse', method('reverse', 'list')],
  ['toReversed', method('reverse', 'list')],
  ['toLocaleString', method('toLocaleString', 'text')],
])

function noBase(): never {
  throw new Untranslatable('writes a number in another base')
}

/** Always with a time: a date without one would stay so. */
const isoTime: Method = (of) => callOf('date', [of.text === 'now()' ? of : asNumber(of)], 'text')

/** As in JavaScript: months from 0, Sunday is 0; the product's server runs in UTC. */
const DATE_METHODS = new Map<string, Method>([
  ['getTime', (of) => asNumber(of)],
  ['valueOf', (of) => asNumber(of)],
  ['toISOString', isoTime],
  ['toJSON', isoTime],
  ...['', 'UTC'].flatMap((utc): [string, Method][] => [
    [`get${utc}FullYear`, (of) => callOf('year', [of], 'number')],
    [`get${utc}Month`, (of) => compound(`${callOf('month', [of]).text} - 1`, 'number')],
    [`get${utc}Date`, (of) => callOf('day', [of], 'number')],
    [`get${utc}Hours`, (of) => callOf('hour', [of], 'number')],
    [`get${utc}Minutes`, (of) => callOf('minute', [of], 'number')],
    [`get${utc}Day`, (of) => compound(`${callOf('weekday', [of]).text} % 7`, 'number')],
  ]),
  ...['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map((name): [string, Method] => [
    name,
    (of, args) => callOf(name, [of, ...args], 'text'),
  ]),
])
