import { z } from 'zod'
import { evaluate } from '../expression/evaluate'
import { isTrue } from '../expression/operations'
import { parseExpression } from '../expression/parseExpression'
import { describeProblem } from '../expression/problem'
import { expressionIssue, isBlankExpression } from '../expression/schema'
import type { FieldProblem } from '../flow/defineBlock'
import { idSchema } from '../flow/schema'
import { caps, counts } from './caps'
import { type ComparisonOperator, compare, comparisonOperators } from './compare'
import { dynamicValueSchema, dynamicValueVariables, staticValue } from './dynamicValue'
import { printValue, renderText, type Variables, variableValue } from './render'
import type { SystemVariableId } from './systemVariables'
import { valuePathSchema } from './valuePath'

/** A comparison in a condition: a variable (unless `subject` says otherwise) with a value. */
export const comparisonSchema = z
  .strictObject({
    id: idSchema,
    /** the visitor's language, or the result of an expression */
    subject: z.enum(['language', 'expression']).optional(),
    variableId: idSchema.nullable(),
    /** a part of the variable's value */
    path: valuePathSchema.optional(),
    operator: z.enum(comparisonOperators),
    /** ignored by `is-empty` and `is-set`; a language code (`pt` includes `pt-br`), or the source of the expression */
    value: dynamicValueSchema(caps.comparison),
  })
  .superRefine(({ subject, value }, context) => {
    const issue = subject === 'expression' && !isBlankExpression(value) ? expressionIssue(value) : null
    if (issue !== null) context.addIssue({ code: 'custom', path: ['value'], message: issue })
  })
/** Fields of anything conditional: a branch of a condition, an option that is offered conditionally. */
export const conditionFields = {
  match: z.enum(['all', 'any']),
  comparisons: z.array(comparisonSchema).max(counts.comparisons),
}

export type Comparison = z.infer<typeof comparisonSchema>
export type Condition = z.infer<z.ZodObject<typeof conditionFields>>

export const newComparison = (id: () => string): Comparison => ({
  id: id(),
  variableId: null,
  operator: 'equals',
  value: staticValue(''),
})

/** Operators without an operand. */
const alone: ReadonlySet<ComparisonOperator> = new Set(['is-empty', 'is-set'])

export const needsValue = (operator: ComparisonOperator): boolean => !alone.has(operator)

/** An incomplete comparison never holds: a condition that requires all comparisons does not hold either. */
const isFinished = ({ subject, variableId, value }: Comparison): boolean =>
  subject ? !isBlankExpression(value) : variableId !== null

export const finishedComparisons = ({ comparisons }: Pick<Condition, 'comparisons'>): Comparison[] =>
  comparisons.filter(isFinished)

/** Whether these values alone determine the result. */
export const comparisonIsSettled = (
  { subject, variableId, value }: Comparison,
  known: { has(variableId: string): boolean },
): boolean =>
  !subject && variableId !== null && known.has(variableId) && dynamicValueVariables(value).every((id) => known.has(id))

/** What expressions need besides variables, and a callback for failures. */
export interface ComparisonSurroundings {
  now?: string
  chance?: number
  note?: (problem: string) => void
}

export function conditionHolds(
  condition: Condition,
  variables: Variables,
  surroundings: ComparisonSurroundings = {},
): boolean {
  const finished = finishedComparisons(condition)
  const holds = (comparison: Comparison) => comparisonHolds(comparison, variables, surroundings)
  if (condition.match === 'any') return finished.some(holds)
  return finished.length > 0 && finished.length === condition.comparisons.length && finished.every(holds)
}

/**
 * Incomplete comparisons of a condition, by field path.
 * @param path of the condition itself: `branches.0`
 */
export function comparisonProblems({ comparisons }: Pick<Condition, 'comparisons'>, path: string): FieldProblem[] {
  if (comparisons.length === 0) return [{ path: `${path}.comparisons`, message: 'Choose what to compare' }]
  return comparisons.flatMap((comparison, at) => {
    if (isFinished(comparison)) return []
    const place = `${path}.comparisons.${at}`
    return comparison.subject
      ? { path: `${place}.value`, message: 'Enter what to compare with' }
      : { path: `${place}.variableId`, message: 'Choose what to compare' }
  })
}

function comparisonHolds(
  { subject, variableId, path, operator, value }: Comparison,
  variables: Variables,
  { note, ...surroundings }: ComparisonSurroundings,
): boolean {
  if (subject === 'language')
    return speaks(printValue(variableValue(variables, LANGUAGE)), renderText(value, variables))
  if (subject !== 'expression') {
    return compare(variableValue(variables, variableId, path), operator, renderText(value, variables))
  }
  const parsed = parseExpression(value)
  const result = parsed.ok ? evaluate(parsed.expression, { variables, ...surroundings }) : parsed
  if (result.ok) return isTrue(result.value)
  note?.(`A comparison could not be calculated and does not hold: ${describeProblem(result.problem)}.`)
  return false
}

const LANGUAGE: SystemVariableId = 'sys_language'

/** `pt` is spoken by anybody who speaks `pt-br`; `pt-br` by nobody whose language is just `pt`. */
function speaks(language: string, wanted: string): boolean {
  const [spoken = '', code = ''] = [language, wanted].map((text) => text.trim().toLowerCase().replaceAll('_', '-'))
  return code !== '' && (spoken === code || spoken.startsWith(`${code}-`))
}

/** The effects that expressions in the comparisons need. */
export function conditionNeeds({ comparisons }: Pick<Condition, 'comparisons'>): { now: boolean; chance: boolean } {
  const expressions = comparisons.flatMap(({ subject, value }) => {
    const parsed = subject === 'expression' ? parseExpression(value) : null
    return parsed?.ok ? parsed.expression : []
  })
  return { now: expressions.some(({ usesNow }) => usesNow), chance: expressions.some(({ usesChance }) => usesChance) }
}

export const conditionReads = ({ comparisons }: Pick<Condition, 'comparisons'>): string[] =>
  comparisons.flatMap(({ subject, variableId, value }) => [
    ...(subject === 'language' ? [LANGUAGE] : !subject && variableId ? [variableId] : []),
    ...dynamicValueVariables(value),
  ])
