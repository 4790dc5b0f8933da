import type {
  ArrayExpression,
  BinaryExpression,
  ConditionalExpression,
  Expression,
  Literal,
  LogicalExpression,
  MemberExpression,
  Node,
  ObjectExpression,
  SequenceExpression,
  SpreadElement,
  TemplateLiteral,
  UnaryExpression,
} from 'acorn'
import { translateCall, translateNew } from './calls'
import {
  asNumber,
  atom,
  callOf,
  compound,
  limited,
  PREFIX,
  quoted,
  type Scope,
  type Source,
  Untranslatable,
  wrapped,
} from './source'

/** Translates a JavaScript expression. Throws Untranslatable. */
export function translateExpression(node: Node, scope: Scope): Source {
  if (--scope.left.steps < 0) throw new Untranslatable('is too long as one expression')
  switch (node.type) {
    case 'Literal':
      return literal(node as Literal)
    case 'TemplateLiteral':
      return template(node as TemplateLiteral, scope)
    case 'Identifier':
      return named((node as unknown as { name: string }).name, scope)
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return translateExpression((node as unknown as { expression: Expression }).expression, scope)
    case 'UnaryExpression':
      return unary(node as UnaryExpression, scope)
    case 'BinaryExpression':
      return binary(node as BinaryExpression, scope)
    case 'LogicalExpression': {
      const { operator, left, right } = node as LogicalExpression
      const [a, b] = [translateExpression(left, scope), translateExpression(right, scope)]
      return limited(compound(`${wrapped(a)} ${operator} ${wrapped(b)}`, a.type === b.type ? a.type : 'unknown'))
    }
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node as ConditionalExpression
      const [condition, a, b] = [test, consequent, alternate].map((part) => translateExpression(part, scope)) as [
        Source,
        Source,
        Source,
      ]
      const type = a.type === b.type ? a.type : 'unknown'
      return limited(compound(`${wrapped(condition)} ? ${wrapped(a)} : ${wrapped(b)}`, type))
    }
    case 'SequenceExpression': {
      const { expressions } = node as SequenceExpression
      return expressions.map((part) => translateExpression(part, scope)).at(-1) ?? atom('null')
    }
    case 'ArrayExpression':
      return list(node as ArrayExpression, scope)
    case 'ObjectExpression':
      return object(node as ObjectExpression, scope)
    case 'MemberExpression':
      return member(node as MemberExpression, scope)
    case 'CallExpression':
      return translateCall(node as never, scope, translateExpression)
    case 'NewExpression':
      return translateNew(node as never, scope, translateExpression)
    default:
      throw new Untranslatable(WORDS[node.type] ?? 'is more than a value')
  }
}

const WORDS: Record<string, string> = {
  SpreadElement: 'hands the items of a list to a call',
  AwaitExpression: 'waits for something',
  ArrowFunctionExpression: 'is a function',
  FunctionExpression: 'is a function',
  AssignmentExpression: 'changes something elsewhere',
  UpdateExpression: 'changes something elsewhere',
}

function literal({ value, regex, raw }: Literal): Source {
  if (regex) throw new Untranslatable('uses a pattern')
  if (typeof value === 'string') return quoted(withoutNames(value))
  if (typeof value === 'number') {
    // our language has no hexadecimal, octal or binary literals
    if (!Number.isFinite(value)) throw new Untranslatable('has a number that is too large')
    return atom(
      /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(raw ?? '') && !/^0\d/.test(raw ?? '') ? (raw ?? '') : String(value),
      'number',
    )
  }
  if (typeof value === 'boolean') return atom(String(value))
  if (value === null) return atom('null')
  throw new Untranslatable('has a number that is too large')
}

/** Replaces a variable inside quotes, which is not a value there, by its id. */
function withoutNames(text: string): string {
  if (text.includes(PREFIX)) throw new Untranslatable('has a variable between quotes, where only its id was printed')
  return text
}

function template({ quasis, expressions }: TemplateLiteral, scope: Scope): Source {
  const pieces = quasis.flatMap(({ value }, at) => {
    const expression = expressions[at]
    return [
      ...(value.cooked ? [quoted(withoutNames(value.cooked))] : []),
      ...(expression ? [printable(translateExpression(expression, scope))] : []),
    ]
  })
  return pieces.length === 0 ? quoted('') : callOf('concat', [quoted(''), ...pieces], 'text')
}

/** The product prints a date in words; here it becomes 2026-11-21T10:00:00.000Z. */
function printable(source: Source): Source {
  if (source.type === 'date') throw new Untranslatable('prints a date without saying how')
  return source
}

function named(name: string, scope: Scope): Source {
  const local = scope.locals.get(name)
  if (local) return local
  const variable = scope.names.get(name)
  if (variable) return atom(variable)
  if (name === 'undefined' || name === 'NaN') return atom('null')
  if (name.startsWith(PREFIX)) throw new Untranslatable('uses a variable that the file does not have')
  throw new Untranslatable(`uses “${name.slice(0, 40)}”`)
}

function unary({ operator, argument }: UnaryExpression, scope: Scope): Source {
  const of = translateExpression(argument, scope)
  if (operator === '!') return compound(`!${wrapped(of)}`, 'boolean')
  if (operator === '-' || operator === '+') {
    const number = asNumber(of)
    return operator === '-' ? compound(`-${wrapped(number)}`, 'number') : callOf('number', [number], 'number')
  }
  throw new Untranslatable(`calculates by “${operator}”`)
}

const COMPARING = new Map([
  ['==', '=='],
  ['===', '=='],
  ['!=', '!='],
  ['!==', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

function binary({ operator, left, right }: BinaryExpression, scope: Scope): Source {
  const [a, b] = [translateExpression(left as Expression, scope), translateExpression(right, scope)]
  if (operator === '+') return joined(a, b)
  if (operator === '**') return callOf('pow', [asNumber(a), asNumber(b)], 'number')
  const comparing = COMPARING.get(operator)
  if (comparing) return limited(compound(`${wrapped(a)} ${comparing} ${wrapped(b)}`, 'boolean'))
  if (!['-', '*', '/', '%'].includes(operator)) throw new Untranslatable(`calculates by “${operator}”`)
  return limited(compound(`${wrapped(asNumber(a))} ${operator} ${wrapped(asNumber(b))}`, 'number'))
}

/** `a + b`: concatenates with a text, adds numbers; numbers typed by visitors count as numbers, there and here. */
export function joined(a: Source, b: Source): Source {
  if (a.type === 'text' || b.type === 'text') {
    const pieces = [printable(a), printable(b)].map(({ text }) =>
      /^concat\((.*)\)$/s.exec(text)?.[1] && isWhole(text) ? text.slice(7, -1) : text,
    )
    return limited(atom(`concat(${pieces.join(', ')})`, 'text'))
  }
  if (a.type === 'list' || b.type === 'list') throw new Untranslatable('puts a list together with something as text')
  if (a.type === 'boolean' || b.type === 'boolean') throw new Untranslatable('adds true or false to something')
  const type = a.type === 'number' && b.type === 'number' ? 'number' : 'unknown'
  return limited(compound(`${wrapped(printable(a))} + ${wrapped(printable(b))}`, type))
}

/** Whether `concat(…)` is one call and not `concat(…) … (…)`: only then its arguments can be extracted. */
function isWhole(text: string): boolean {
  let depth = 0
  let quote = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote && character === '\\') at++
    else if (character === '"') quote = !quote
    else if (!quote && character === '(') depth++
    else if (!quote && character === ')' && --depth === 0) return at === text.length - 1
  }
  return false
}

function list({ elements }: ArrayExpression, scope: Scope): Source {
  const isSpread = elements.some((element) => element?.type === 'SpreadElement')
  const items = elements.map((element) => {
    if (!element) return atom('null')
    const of = element.type === 'SpreadElement' ? (element as SpreadElement).argument : element
    const item = translateExpression(of, scope)
    return isSpread && element.type !== 'SpreadElement' ? atom(`[${item.text}]`, 'list') : item
  })
  if (isSpread) return callOf('concat', [atom('[]', 'list'), ...items], 'list')
  return limited(atom(`[${items.map(({ text }) => text).join(', ')}]`, 'list'))
}

function object({ properties }: ObjectExpression, scope: Scope): Source {
  const fields = properties.map((property) => {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init')
      throw new Untranslatable('makes an object by code')
    const key = property.key
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String((key as Literal).value) : undefined
    if (name === undefined) throw new Untranslatable('makes an object by code')
    return `${quoted(name).text}: ${translateExpression(property.value, scope).text}`
  })
  return limited(atom(`{${fields.join(', ')}}`))
}

function member({ object: of, property, computed }: MemberExpression, scope: Scope): Source {
  const whole = translateExpression(of, scope)
  if (computed) {
    const key = translateExpression(property as Expression, scope)
    return limited(atom(`${wrapped(whole)}[${key.text}]`))
  }
  const name = property.type === 'Identifier' ? property.name : ''
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name))
    throw new Untranslatable('reads a part by a name that is not allowed')
  return limited(atom(`${wrapped(whole)}.${name}`, name === 'length' ? 'number' : 'unknown'))
}
