import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/**
 * Finds where sources use the handle that sees all projects (`RootDb`): queries on it, and passing it to a parameter of
 * any handle type. Passing it on as a RootDb, and `forProject`, are allowed. Uses the type checker, so names don't
 * matter.
 * @param folder whose files are checked, below the root; tests are skipped
 * @param planted additional sources by path, for testing the check itself
 * @returns line numbers by path, relative to the folder
 */
export function bareHandles(folder: string, planted: Readonly<Record<string, string>> = {}): Map<string, number[]> {
  const config = join(root, 'server/tsconfig.json')
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  )
  const added = new Map(Object.entries(planted).map(([path, text]) => [join(root, folder, path), text]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  host.readFile = (path) => added.get(path) ?? readFile(path)
  host.fileExists = (path) => added.has(path) || fileExists(path)
  const sources = fileNames.filter((path) => !path.endsWith('.test.ts'))
  const program = ts.createProgram([...sources, ...added.keys()], options, host)
  const checker = program.getTypeChecker()

  const isBare = (type: ts.Type) =>
    type.getProperty('forProject') !== undefined && type.getProperty('selectFrom') !== undefined
  const ofDb = (type: ts.Type, at: ts.Node) => {
    const db = type.getProperty('db')
    return db && checker.getTypeOfSymbolAtLocation(db, at)
  }
  /** whether the handle is passed as another type: itself, or as the `db` of an object */
  function widens(node: ts.Expression): boolean {
    const given = checker.getTypeAtLocation(node)
    const own = isBare(given) ? given : ofDb(given, node)
    if (!own || !isBare(own)) return false
    const wanted = checker.getContextualType(node)
    if (own === given) return !wanted || !isBare(wanted)
    const theirs = wanted && ofDb(wanted, node)
    return theirs !== undefined && !isBare(theirs)
  }
  function isUse(node: ts.Node): boolean {
    // a handle in a variable or property
    const isAsked =
      ts.isPropertyAccessExpression(node) && node.name.text !== 'forProject' && !ts.isCallExpression(node.expression)
    if (isAsked && isBare(checker.getTypeAtLocation(node.expression))) return true
    return isHandle(node) && isHanded(node) && widens(node)
  }

  const found = new Map<string, number[]>()
  for (const file of program.getSourceFiles()) {
    const path = relative(join(root, folder), file.fileName)
    if (path.startsWith('..') || /\.test\.ts$/.test(path)) continue
    const lines = new Set<number>()
    const visit = (node: ts.Node): void => {
      if (isUse(node)) lines.add(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)
      ts.forEachChild(node, visit)
    }
    visit(file)
    if (lines.size > 0) found.set(path, [...lines])
  }
  return found
}

const isHandle = (node: ts.Node) =>
  ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isObjectLiteralExpression(node)

/**
 * Whether the node is passed as a value: an argument, a property, a result; not declared, and not the object of a
 * property access.
 */
function isHanded(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.arguments?.includes(node) ?? false
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isArrowFunction(parent)) return parent.body === node
  if (ts.isParameter(parent) || ts.isVariableDeclaration(parent))
    return parent.initializer === node && parent.type !== undefined
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) return true
  return ts.isReturnStatement(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isConditionalExpression(parent)
}
