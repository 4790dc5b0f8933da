import type {
  AssignmentExpression,
  CallExpression,
  Expression,
  ExpressionStatement,
  IfStatement,
  Node,
  ReturnStatement,
  VariableDeclaration,
} from 'acorn'
import { joined, translateExpression } from './expressions'
import { atom, callOf, compound, limited, type Scope, type Source, Untranslatable, wrapped } from './source'

/**
 * Translates the statements of a function to one expression: names are replaced by their values, and both branches of a
 * condition are followed to their end. Throws Untranslatable for loops and side effects.
 */
export function runStatements(statements: readonly Node[], scope: Scope): Source {
  if (--scope.left.steps < 0) throw new Untranslatable('is too long as one expression')
  const [first, ...rest] = statements
  if (!first) return atom('null')
  switch (first.type) {
    case 'ReturnStatement': {
      const { argument } = first as ReturnStatement
      return argument ? translateExpression(argument, scope) : atom('null')
    }
    case 'VariableDeclaration':
      return runStatements(rest, declare(first as VariableDeclaration, scope))
    case 'ExpressionStatement':
      return runStatements(rest, change((first as ExpressionStatement).expression, scope))
    case 'IfStatement': {
      const { test, consequent, alternate } = first as IfStatement
      const condition = translateExpression(test, scope)
      const then = runStatements([...blockOf(consequent), ...rest], scope)
      const otherwise = runStatements([...(alternate ? blockOf(alternate) : []), ...rest], scope)
      const type = then.type === otherwise.type ? then.type : 'unknown'
      return limited(compound(`${wrapped(condition)} ? ${wrapped(then)} : ${wrapped(otherwise)}`, type))
    }
    case 'BlockStatement':
      return runStatements([...blockOf(first), ...rest], scope)
    case 'EmptyStatement':
      return runStatements(rest, scope)
    default:
      throw new Untranslatable(
        first.type.startsWith('For') || first.type.includes('While') ? 'repeats something' : 'is no value',
      )
  }
}

const blockOf = (node: Node): readonly Node[] =>
  node.type === 'BlockStatement' ? (node as unknown as { body: Node[] }).body : [node]

const withLocal = (scope: Scope, name: string, value: Source): Scope => ({
  ...scope,
  locals: new Map(scope.locals).set(name, value),
})

function declare({ declarations }: VariableDeclaration, scope: Scope): Scope {
  let inner = scope
  for (const { id, init } of declarations) {
    if (id.type !== 'Identifier') throw new Untranslatable('takes a value apart')
    inner = withLocal(inner, id.name, init ? translateExpression(init, inner) : atom('null'))
  }
  return inner
}

/** An assignment: `=`, `+=`, or a push to a list. */
function change(expression: Expression, scope: Scope): Scope {
  if (expression.type === 'AssignmentExpression') {
    const { left, right, operator } = expression as AssignmentExpression
    if (left.type !== 'Identifier' || !scope.locals.has(left.name))
      throw new Untranslatable('changes something elsewhere')
    const value = translateExpression(right, scope)
    const before = scope.locals.get(left.name) ?? atom('null')
    if (operator === '=') return withLocal(scope, left.name, value)
    if (operator === '+=') return withLocal(scope, left.name, joined(before, value))
    const sign = { '-=': '-', '*=': '*', '/=': '/' }[operator as string]
    if (!sign) throw new Untranslatable(`calculates by “${operator}”`)
    return withLocal(scope, left.name, compound(`${wrapped(before)} ${sign} ${wrapped(value)}`, 'number'))
  }
  if (expression.type === 'CallExpression') {
    const { callee, arguments: args } = expression as CallExpression
    if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
      const { object, property } = callee
      const list = object.type === 'Identifier' ? scope.locals.get(object.name) : undefined
      if (object.type === 'Identifier' && list && ['push', 'reverse', 'sort'].includes(property.name)) {
        const values = args.map((arg) => translateExpression(arg, scope))
        if (property.name !== 'push' && values.length > 0) throw new Untranslatable('sorts by code')
        const name = property.name === 'push' ? 'append' : property.name
        return withLocal(scope, object.name, callOf(name, [list, ...values], 'list'))
      }
    }
  }
  throw new Untranslatable('does something that is no value')
}
