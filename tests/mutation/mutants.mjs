import ts from 'typescript'

const K = ts.SyntaxKind

/** An operator and what is written in its place: its neighbour at the boundary, or its opposite. */
const OPERATORS = new Map([
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
  [K.PlusToken, '-'],
  [K.MinusToken, '+'],
  [K.AsteriskToken, '/'],
  [K.SlashToken, '*'],
  [K.PercentToken, '*'],
  [K.PlusEqualsToken, '-='],
  [K.MinusEqualsToken, '+='],
])

/** The same for what stands in quotes, as in `.where('used_at', '<', end)`. */
const QUOTED_OPERATORS = {
  '=': '!=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  in: 'not in',
  'not in': 'in',
}

/** The same for the text of a query. */
const SQL_OPERATORS = {
  ' AND ': ' OR ',
  ' OR ': ' AND ',
  ' = ': ' <> ',
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
}

/** Calls of a chain that narrow or change what they are called on: without them it goes on as it was. */
const NARROWING = new Set(
  'where andWhere limit forUpdate forNoKeyUpdate skipLocked filter slice trim toLowerCase sort reverse flat'.split(' '),
)

const OPPOSITE_METHODS = { some: 'every', every: 'some', min: 'max', max: 'min', floor: 'ceil', ceil: 'floor' }

const LOG = /^(?:return |await )*[\w.?]*\blog\??\.(?:trace|debug|info|warn|error|fatal)\(/

/**
 * Every small change of a source file that a test ought to notice: operators, conditions, numbers, booleans, patterns, statements, results,
 * properties, calls of a chain, awaits. Types, imports, strings and what is only logged stay as they are.
 * @returns `{ path, start, end, line, before, within, from, to, kind }`, in the order of the file: `to` stands in place of `from`, `within` names
 * the function around it
 */
export function mutantsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const found = []
  const add = (kind, start, end, to) => {
    const from = text.slice(start, end)
    if (from === to || found.some((each) => each.start === start && each.end === end && each.to === to)) return
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    const before = lineUpTo(text, start)
    found.push({ path, start, end, line, before, within: namedAround(file, start), from, to, kind })
  }
  const replace = (kind, node, to) => add(kind, node.getStart(file), node.end, to)
  const visit = (node) => {
    if (isLeftAlone(node, file)) return
    mutate(node, replace, add, file)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.to < b.to ? -1 : 1))
}

/** What stands in front of a place in its line: by this a change is found to be one of a source that was another. */
export const lineUpTo = (text, start) => text.slice(text.lastIndexOf('\n', start - 1) + 1, start)

/** @returns the source with the change made */
export const applied = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end)

/** @returns the name of the innermost function with a name around a place, as V8 names it; null outside of any */
export function namedAround(file, start) {
  let name = null
  const visit = (node) => {
    if (node.pos > start || node.end <= start) return
    if (ts.isFunctionLike(node)) name = nameOf(node) ?? name
    ts.forEachChild(node, visit)
  }
  visit(file)
  return name
}

function nameOf(node) {
  const { name } = node.name ? node : node.parent
  return name && ts.isIdentifier(name) ? name.text : null
}

function isLeftAlone(node, file) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isModuleDeclaration(node)) return true
  const isStatement = ts.isExpressionStatement(node) || ts.isReturnStatement(node)
  return isStatement && LOG.test(node.getText(file))
}

function mutate(node, replace, add, file) {
  if (ts.isBinaryExpression(node)) mutateBinary(node, replace)
  else if (ts.isIfStatement(node)) mutateCondition(node.expression, replace)
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, replace)
  else if (ts.isWhileStatement(node)) replace('condition', node.expression, 'false')
  else if (ts.isForStatement(node) && node.condition) replace('condition', node.condition, 'false')
  else if (ts.isPrefixUnaryExpression(node)) mutatePrefix(node, replace, file)
  else if (ts.isPostfixUnaryExpression(node))
    replace('operator', node, node.operand.getText(file) + (node.operator === K.PlusPlusToken ? '--' : '++'))
  else if (ts.isNumericLiteral(node)) replace('number', node, anotherNumber(Number(node.text)))
  else if (node.kind === K.TrueKeyword) replace('boolean', node, 'false')
  else if (node.kind === K.FalseKeyword) replace('boolean', node, 'true')
  else if (ts.isStringLiteral(node)) mutateQuoted(node, replace)
  else if (ts.isRegularExpressionLiteral(node)) mutatePattern(node, replace)
  else if (ts.isTaggedTemplateExpression(node)) mutateSql(node, add, file)
  else if (ts.isExpressionStatement(node)) replace('statement', node, ';')
  else if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node))
    replace('statement', node, ';')
  else if (ts.isReturnStatement(node)) mutateReturn(node, replace)
  else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) mutateResult(node.body, replace)
  else if (ts.isAwaitExpression(node)) replace('await', node, node.expression.getText(file))
  else if (ts.isTryStatement(node) && node.finallyBlock) replace('statement', node.finallyBlock, '{}')
  else if (ts.isCallExpression(node)) mutateCall(node, replace, file)
  else if (ts.isObjectLiteralExpression(node))
    for (const each of node.properties) removeProperty(each, replace, add, file)
  else if (ts.isPropertyAccessExpression(node) && node.questionDotToken) replace('operator', node.questionDotToken, '.')
}

function mutateBinary(node, replace) {
  const { left, operatorToken, right } = node
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side))
  const to = OPERATORS.get(operatorToken.kind)
  if (to && !(isText && operatorToken.kind === K.PlusToken)) replace('operator', operatorToken, to)
  if (operatorToken.kind === K.QuestionQuestionToken) replace('operator', node, left.getText())
  if (operatorToken.kind === K.AmpersandAmpersandToken || operatorToken.kind === K.BarBarToken) {
    replace('condition', node, left.getText())
    replace('condition', node, right.getText())
  }
}

function mutateCondition(condition, replace) {
  replace('condition', condition, 'true')
  replace('condition', condition, 'false')
}

/** A limit or a time that is one more is no other for anybody: ten times as much is. */
const anotherNumber = (number) => String(number < 100 ? number + 1 : number * 10)

function mutatePrefix(node, replace, file) {
  const operand = node.operand.getText(file)
  if (node.operator === K.ExclamationToken || node.operator === K.MinusToken) replace('operator', node, operand)
  if (node.operator === K.PlusPlusToken) replace('operator', node, `--${operand}`)
  if (node.operator === K.MinusMinusToken) replace('operator', node, `++${operand}`)
}

function mutateQuoted(node, replace) {
  const to = QUOTED_OPERATORS[node.text]
  if (to && ts.isCallExpression(node.parent)) replace('operator', node, `'${to}'`)
}

function mutatePattern(node, replace) {
  const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)
  if (pattern.startsWith('^')) replace('pattern', node, `/${pattern.slice(1)}/${flags}`)
  if (/(?<!\\)\$$/.test(pattern)) replace('pattern', node, `/${pattern.slice(0, -1)}/${flags}`)
  if (flags.includes('i')) replace('pattern', node, `/${pattern}/${flags.replace('i', '')}`)
}

function mutateSql(node, add, file) {
  if (node.tag.getText(file).split('<')[0] !== 'sql') return
  const { template } = node
  const parts = ts.isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
    : [template]
  for (const part of parts)
    for (const [operator, to] of Object.entries(SQL_OPERATORS)) {
      const text = part.getText(file)
      for (let at = text.indexOf(operator); at >= 0; at = text.indexOf(operator, at + 1))
        add('query', part.getStart(file) + at, part.getStart(file) + at + operator.length, to)
    }
}

function mutateReturn(node, replace) {
  if (node.expression) mutateResult(node.expression, replace)
  else replace('statement', node, ';')
}

/** A result that is a boolean, a number or nothing is changed or can't be missed by itself. */
function mutateResult(node, replace) {
  if (node.kind === K.NullKeyword || node.getText() === 'undefined' || ts.isParenthesizedExpression(node)) return
  if (node.kind !== K.TrueKeyword && node.kind !== K.FalseKeyword) replace('result', node, 'undefined')
}

function mutateCall(node, replace, file) {
  if (!ts.isPropertyAccessExpression(node.expression)) return
  const { name, expression } = node.expression
  if (NARROWING.has(name.text)) replace('call', node, expression.getText(file))
  const opposite = Object.hasOwn(OPPOSITE_METHODS, name.text) && OPPOSITE_METHODS[name.text]
  if (opposite) replace('call', name, opposite)
}

function removeProperty(property, replace, add, file) {
  const comma = file.text.slice(property.end).match(/^\s*,/)?.[0].length ?? 0
  if (comma > 0) add('property', property.getStart(file), property.end + comma, '')
  else replace('property', property, '')
}
