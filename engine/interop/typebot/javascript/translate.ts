import { type Expression, type Identifier, type MemberExpression, type Node, parse } from 'acorn'
import { PREFIX, type Scope, Untranslatable } from './source'
import { runStatements } from './statements'

/** What the code of a value means here. */
export type Translated =
  /** an expression of ours, with variables as `{{Name}}` */
  | { type: 'expression'; source: string }
  /** no code: the product takes it for the text that it is */
  | { type: 'text' }
  /** code that nothing here can say; why, in a few words */
  | { type: 'unable'; because: string }

/** Longer code is not read: no value here may be longer either. */
const LONGEST = 3_000
/** Brackets in one another; deeper ones nobody writes, and they exhaust the stack of who reads them. */
const DEEPEST = 50

/**
 * Reads the code of a value as JavaScript, as the product runs it: the body of a function where it says `return`, else one expression,
 * in which `{{Name}}` stands for a variable's value. What is not JavaScript, or names what does not exist, is a text there.
 * Nothing is run: the code becomes a tree, and the tree an expression. Never throws.
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

/** The code with an identifier for each variable; what is between quotes is one too, as in the product. */
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

/** Words that happen to be code (`he`, `Hello-world`, `yes, no`): the product fails to find what they name, and takes the text. */
function isPlainText([first]: Node[]): boolean {
  const argument = first?.type === 'ReturnStatement' ? (first as { argument?: Expression | null }).argument : null
  return argument ? hasWord(argument) : false
}

/** Whether a tree of nothing but words, numbers and signs between them has a word that stands for no value. */
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
