import { type Expression, type Identifier, type MemberExpression, type Node, parse } from 'acorn'
import { PREFIX, type Scope, Untranslatable } from './source'
import { runStatements } from './statements'

/** The meaning of a value's code here. */
export type Translated =
  /** an expression of our language, with variables as `{{Name}}` */
  | { type: 'expression'; source: string }
  /** not code: the product uses the text itself */
  | { type: 'text' }
  /** code without an equivalent; the reason in a few words */
  | { type: 'unable'; because: string }

/** Longer code is not translated: no value here may be longer either. */
const LONGEST = 3_000
/** The deepest nesting of brackets; deeper ones would overflow the stack. */
const DEEPEST = 50

/**
 * Translates the code of a value as the product runs it: the body of a function if it contains `return`, otherwise one
 * expression in which `{{Name}}` is a variable's value. Invalid JavaScript, or code with unknown names, is a text in
 * the product. Nothing is executed: the code is parsed and the syntax tree is translated. Never throws.
 * @param isVariable whether the file has a variable of that name
 */
export function translateCode(code: string, isVariable: (name: string) => boolean): Translated {
  if (code.length > LONGEST) return { type: 'unable', because: `has more than ${LONGEST} characters` }
  if (isDeep(code)) return { type: 'unable', because: 'is nested too deeply' }
  const { body, names } = withIdentifiers(code, isVariable)
  const isBody = body.includes('return ')
  const program = parsed(isBody ? body : `return ${body}`)
  if (!program) return { type: 'text' }
  if (!isBody && isPlainText(program)) return { type: 'text' }
  const scope: Scope = { names, locals: new Map(), run: runStatements, left: { steps: 5_000 } }
  try {
    const source = runStatements(program, scope)
    return source.text.length > LONGEST
      ? { type: 'unable', because: 'is too long as one expression' }
      : { type: 'expression', source: source.text }
  } catch (error) {
    if (error instanceof Untranslatable) return { type: 'unable', because: error.message }
    if (error instanceof RangeError) return { type: 'unable', because: 'is nested too deeply' }
    throw error
  }
}

/** Replaces each variable by an identifier, also within quotes, as the product does. */
function withIdentifiers(code: string, isVariable: (name: string) => boolean) {
  const names = new Map<string, string>()
  let count = 0
  const body = code.replace(/\{\{([^{}]+)\}\}/g, (whole, inner: string) => {
    const identifier = `${PREFIX}${count++}`
    if (isVariable(inner.trim())) names.set(identifier, whole)
    return identifier
  })
  return { body, names }
}

function parsed(body: string): Node[] | null {
  try {
    return parse(body, { ecmaVersion: 2023, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true }).body
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

/**
 * Plain words that parse as code (`he`, `Hello-world`, `yes, no`): the product fails to resolve the names, and uses the
 * text.
 */
function isPlainText([first]: Node[]): boolean {
  const argument = first?.type === 'ReturnStatement' ? (first as { argument?: Expression | null }).argument : null
  return argument ? hasWord(argument) : false
}

/** Whether an expression of only names, numbers and operators contains an unknown name. */
function hasWord(node: Node): boolean {
  if (node.type === 'Identifier') return !isKnownName((node as Identifier).name)
  if (node.type === 'BinaryExpression') {
    const { left, right } = node as Node & { left: Node; right: Node }
    return isOnlyWords(left) && isOnlyWords(right) && (hasWord(left) || hasWord(right))
  }
  if (node.type === 'MemberExpression' && !(node as MemberExpression).computed)
    return hasWord((node as MemberExpression).object)
  if (node.type === 'SequenceExpression') {
    const { expressions } = node as Node & { expressions: Node[] }
    return expressions.every(isOnlyWords) && expressions.some(hasWord)
  }
  return false
}

function isOnlyWords(node: Node): boolean {
  if (node.type === 'Identifier' || node.type === 'Literal') return true
  if (node.type === 'MemberExpression' && !(node as MemberExpression).computed)
    return isOnlyWords((node as MemberExpression).object)
  if (node.type !== 'BinaryExpression') return false
  const { left, right } = node as Node & { left: Node; right: Node }
  return isOnlyWords(left) && isOnlyWords(right)
}

const isKnownName = (name: string): boolean =>
  name.startsWith(PREFIX) || ['undefined', 'NaN', 'Infinity', 'Math', 'Date', 'JSON', 'Number', 'Object'].includes(name)

function isDeep(code: string): boolean {
  let depth = 0
  for (const character of code) {
    if ('([{'.includes(character) && ++depth > DEEPEST) return true
    if (')]}'.includes(character)) depth--
  }
  return false
}
