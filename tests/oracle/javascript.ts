import { parse } from 'acorn'

/** Names a program may use: what a value's code is given. */
type Scope = Map<string, unknown>
/** A piece of the parser's tree: each type of piece has some of these fields. */
interface Tree {
  type: string
  name: string
  operator: string
  computed: boolean
  value: unknown
  id: Tree
  init: Tree | null
  argument: Tree
  expression: Tree
  test: Tree
  consequent: Tree
  alternate: Tree
  left: Tree
  right: Tree
  object: Tree
  property: Tree
  callee: Tree
  key: Tree
  body: Tree
  declarations: Tree[]
  quasis: Tree[]
  expressions: Tree[]
  elements: Tree[]
  properties: Tree[]
  params: Tree[]
  arguments: Tree[]
}

/** Thrown as JavaScript would throw: the product then takes the code for text. */
export class Failure extends Error {}
/** The oracle itself does not know this piece of the language. */
export class Unknown extends Error {}

class Returned {
  constructor(readonly value: unknown) {}
}

/**
 * Runs code as a function's body with the values of some names, by walking its tree: no text becomes a program. A small part of the
 * language, with JavaScript's own meaning of each piece. The clock stands still.
 */
export function runCode(body: string, given: ReadonlyMap<string, unknown>, now: string): unknown {
  let program: Tree[]
  try {
    program = parse(body, { ecmaVersion: 2023, allowReturnOutsideFunction: true }).body as unknown as Tree[]
  } catch {
    throw new Failure('syntax')
  }
  const scope: Scope = new Map([...globals(now), ...given])
  const result = statements(program, scope)
  return result?.value
}

const globals = (now: string): [string, unknown][] => {
  const clock = new Proxy(Date, {
    construct: (Original, args) => (args.length === 0 ? new Original(now) : Reflect.construct(Original, args)),
    get: (Original, name) => (name === 'now' ? () => Date.parse(now) : Reflect.get(Original, name)),
  })
  return [
    ...Object.entries({
      Math,
      JSON,
      Number,
      String,
      Object,
      Array,
      Boolean,
      parseInt,
      parseFloat,
      isNaN,
      encodeURIComponent,
    }),
    ['Date', clock],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
  ]
}

function statements(list: readonly Tree[], scope: Scope): Returned | null {
  for (const one of list) {
    const result = statement(one, scope)
    if (result) return result
  }
  return null
}

function statement(node: Tree, scope: Scope): Returned | null {
  switch (node.type) {
    case 'ReturnStatement':
      return new Returned(node.argument ? value(node.argument, scope) : undefined)
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations) scope.set(id.name, init ? value(init, scope) : undefined)
      return null
    case 'ExpressionStatement':
      value(node.expression, scope)
      return null
    case 'IfStatement':
      if (value(node.test, scope)) return statement(node.consequent, scope)
      return node.alternate ? statement(node.alternate, scope) : null
    case 'BlockStatement':
      return statements(node.body as unknown as Tree[], scope)
    case 'EmptyStatement':
      return null
    default:
      throw new Unknown(node.type)
  }
}

/** Loosely: what is unset is alike. */
const alike = (a: unknown, b: unknown): boolean =>
  a === b || (isSet(a) ? isSet(b) && String(a) === String(b) : !isSet(b))
const isSet = (a: unknown): boolean => a !== null && a !== undefined

const binary: Record<string, (a: never, b: never) => unknown> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '==': alike,
  '===': (a, b) => a === b,
  '!=': (a, b) => !alike(a, b),
  '!==': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

function value(node: Tree, scope: Scope): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'Identifier':
      if (!scope.has(node.name)) throw new Failure(`${node.name} is not defined`)
      return scope.get(node.name)
    case 'TemplateLiteral':
      return node.quasis
        .map((quasi, at) => {
          const expression = node.expressions[at]
          return `${(quasi.value as { cooked: string }).cooked}${expression ? value(expression, scope) : ''}`
        })
        .join('')
    case 'BinaryExpression': {
      const run = binary[node.operator]
      if (!run) throw new Unknown(node.operator)
      return run(value(node.left, scope) as never, value(node.right, scope) as never)
    }
    case 'LogicalExpression': {
      const left = value(node.left, scope)
      const operator: string = node.operator
      const stops = operator === '&&' ? !left : operator === '||' ? Boolean(left) : left !== null && left !== undefined
      return stops ? left : value(node.right, scope)
    }
    case 'UnaryExpression': {
      const of = value(node.argument, scope)
      const operator: string = node.operator
      if (operator === '!') return !of
      if (operator === '-') return -(of as number)
      if (operator === '+') return Number(of)
      throw new Unknown(operator)
    }
    case 'ConditionalExpression':
      return value(node.test, scope) ? value(node.consequent, scope) : value(node.alternate, scope)
    case 'SequenceExpression':
      return node.expressions.map((one) => value(one, scope)).at(-1)
    case 'ArrayExpression':
      return node.elements.flatMap((one) =>
        one.type === 'SpreadElement' ? (value(one.argument, scope) as unknown[]) : [value(one, scope)],
      )
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((one) => {
          const { key } = one
          return [key.name ?? key.value, value(one.value as Tree, scope)]
        }),
      )
    case 'AssignmentExpression': {
      const name: string = node.left.name
      const right = value(node.right, scope) as never
      const operator: string = node.operator
      const sign = binary[operator.slice(0, -1)]
      const result = operator === '=' ? right : sign?.(scope.get(name) as never, right)
      scope.set(name, result)
      return result
    }
    case 'ChainExpression':
      return value(node.expression, scope)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return (...args: unknown[]) => {
        const inner: Scope = new Map(scope)
        for (const [at, param] of node.params.entries()) inner.set(param.name, args[at])
        const { body } = node
        return body.type === 'BlockStatement' ? statement(body, inner)?.value : value(body, inner)
      }
    case 'MemberExpression': {
      const of = value(node.object, scope)
      return attempt(() => (of as Record<string, unknown>)[keyOf(node, scope)])
    }
    case 'NewExpression': {
      const called = value(node.callee, scope) as new (...args: unknown[]) => unknown
      return attempt(() => new called(...node.arguments.map((one) => value(one, scope))))
    }
    case 'CallExpression': {
      const { callee } = node
      const args = node.arguments.map((one) => value(one, scope))
      if (callee.type !== 'MemberExpression') return attempt(() => (value(callee, scope) as Called)(...args))
      const of = value(callee.object, scope) as Record<string, Called>
      return attempt(() => of[keyOf(callee, scope)]?.call(of, ...args) ?? missing(of, keyOf(callee, scope)))
    }
    default:
      throw new Unknown(node.type)
  }
}

type Called = (...args: unknown[]) => unknown

function missing(of: Record<string, Called>, key: string): undefined {
  if (typeof of[key] !== 'function') throw new Failure(`${key} is not a function`)
}

const keyOf = (node: Tree, scope: Scope): string =>
  node.computed ? String(value(node.property, scope)) : node.property.name

/** What JavaScript itself throws is a failure of the code. */
function attempt<Value>(run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (error instanceof Failure || error instanceof Unknown) throw error
    throw new Failure(String(error))
  }
}
