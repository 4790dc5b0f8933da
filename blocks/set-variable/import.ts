import { clip, fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext, MappedBlock, NotMapped } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { type DynamicPart, type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { parseNumber } from '../../engine/values/rules'
import type { SystemVariableName } from '../../engine/values/systemVariables'
import type { SetVariableData } from './schema'

/**
 * Set variable: texts, variables, calculations, appending to and removing from lists, clearing, times, and facts about
 * the visitor.
 */
export const setVariableFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Set variable'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, KNOWN, context)
    const variableId = context.variable(options.variableId)
    const type = textOf(options.type) || 'Custom'
    const as = (mode: SetVariableData['mode'], value = staticValue(''), takeTo: string | null = null) =>
      mapped({ variableId, mode, value, takeTo })
    const system = SYSTEM.get(type)
    const differs = DIFFERENT.get(type)
    if (differs) context.note(differs)
    if (system) return as('set', { type: 'dynamic', parts: [variablePart(`sys_${system}`)] })
    switch (type) {
      case 'Custom':
        return mapExpression(variableId, textOf(options.expressionToEvaluate).trim(), context)
      case 'Empty':
        return as('clear')
      case 'Now':
      case 'Today':
        return as('now')
      case 'Tomorrow':
        return as('expression', staticValue('addDays(now(), 1)'))
      case 'Yesterday':
        return as('expression', staticValue('addDays(now(), -1)'))
      case 'Moment of the day':
        context.note('The moment of the day was that of the visitor’s clock: here it is that of UTC.')
        return as('expression', staticValue(MOMENT))
      case 'Random ID':
        return as('random')
      case 'Append value(s)':
        // appending creates a list in the product; here a text would get longer
        if (variableId) context.startWith(variableId, [])
        context.remark(
          'A value is appended to a list; to a text it is added as text here, while there both became a list.',
        )
        return as('append', context.text(options.item, caps.setVariable))
      case 'Shift':
        return as('take-first', staticValue(''), context.variable(options.saveItemInVariableId))
      case 'Pop':
        return as('take-last', staticValue(''), context.variable(options.saveItemInVariableId))
      case 'Map item with same index':
        return as('expression', lookup(fieldsOf(options.mapListItemParams), context))
      default:
        return { notMapped: `The value '${clip(type, 60)}' has no counterpart here.` }
    }
  },
}

/** The product's parts of the day. */
const MOMENT = 'hour(now()) < 12 ? "morning" : hour(now()) < 18 ? "afternoon" : "evening"'

const KNOWN = [
  'variableId',
  'type',
  'expressionToEvaluate',
  'item',
  'isCode',
  'isExecutedOnClient',
  'saveItemInVariableId',
  'mapListItemParams',
]

const SYSTEM = new Map<string, SystemVariableName>([
  ['User ID', 'user_id'],
  ['Result ID', 'conversation_id'],
  ['Environment name', 'channel'],
  ['Phone number', 'contact_phone'],
  ['Contact name', 'contact_name'],
  ['Transcript', 'transcript'],
])

const DIFFERENT = new Map([
  ['Environment name', 'It was “web” or “whatsapp”: here it is also “share” and “playground”.'],
  ['Transcript', 'It called the two sides “Assistant” and “User”: here they are “Bot” and “Visitor”, without quotes.'],
])

const variablePart = (variableId: string): DynamicPart => ({ type: 'variable', variable_id: variableId })

function lookup(params: Record<string, unknown>, context: ImportContext): DynamicValue {
  const names = ['baseItemVariableId', 'baseListVariableId', 'targetListVariableId']
  const values = names.map((name): DynamicPart => {
    const variableId = context.variable(params[name])
    return variableId === null ? { type: 'text', text: 'null' } : variablePart(variableId)
  })
  const parts = values.flatMap((value, index) => [
    { type: 'text' as const, text: index === 0 ? 'lookup(' : ', ' },
    value,
  ])
  return { type: 'dynamic', parts: [...parts, { type: 'text', text: ')' }] }
}

const mapped = (data: SetVariableData): MappedBlock => ({ data, ports: { default: 'next' } })

/**
 * Any value may be JavaScript there, and is a text if it fails to run. Numbers, quoted texts, single variables and
 * increments are recognised first; anything else is parsed as code.
 */
function mapExpression(variableId: string | null, expression: string, context: ImportContext): MappedBlock | NotMapped {
  const as = (mode: SetVariableData['mode'], value: DynamicValue) => mapped({ variableId, mode, value, takeTo: null })
  const text = (source: string) => as('set', context.text(source, caps.setVariable))
  if (expression === '') return as('clear', staticValue(''))
  if (LITERAL.test(expression)) return text(expression)
  if (DAY.test(expression)) {
    context.note(`There '${expression}' was calculated, as numbers with minus signs: here it is the date.`)
    return text(expression)
  }
  const quoted = QUOTED.exec(expression)
  if (quoted) return text(quoted[2] ?? '')
  const step = stepOf(expression, variableId, context)
  if (step) {
    context.remark(CALCULATED)
    return as('increment', step)
  }
  const meant = context.calculation(expression)
  if (meant.type === 'text') {
    if (CODE.test(expression))
      context.note('It reads like code with a mistake in it, so it was a text there and is one here.')
    return text(expression)
  }
  if (meant.type === 'unable')
    return {
      notMapped: `Its value is computed by code, which ${meant.because}: set it by an expression, or ask for it by an HTTP request.`,
    }
  context.remark(CALCULATED)
  return as('expression', meant.value)
}

/** How calculating differs; noted once. */
const CALCULATED =
  'Values are calculated without code here: what is unset counts as nothing (there as “undefined” or NaN), texts are compared without regard to case, and what can’t be calculated leaves a variable as it was.'

/** Patterns that only occur in code. */
const CODE = /^\s*(?:return|let|const|var|if\s*\(|function)\b|=>|["'`]\s*\+|\+\s*["'`]|\}\}\.\w+\(|\}\}\s*\[/

const QUOTED = /^(["'])([^"'\\\n`{}]*)\1$/
const LITERAL = /^(\{\{[^{}]*\}\}|[+-]?\d+(\.\d+)?)$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** `{{Score}} + 5` assigned to Score itself increments by 5, `- 5` decrements; also by another variable. */
function stepOf(expression: string, variableId: string | null, context: ImportContext): DynamicValue | null {
  const [, first = '', sign, second = ''] = COUNT.exec(expression) ?? []
  if (!variableId) return null
  if (sign === '+' && isVariable(second, variableId, context) && !isVariable(first, variableId, context)) {
    return stepValue(first, '+', context)
  }
  return sign && isVariable(first, variableId, context) ? stepValue(second, sign, context) : null
}

const OPERAND = String.raw`(\{\{[^{}]*\}\}|\d+(?:\.\d+)?)`
const COUNT = new RegExp(`^${OPERAND}\\s*([+-])\\s*${OPERAND}$`)

function stepValue(operand: string, sign: string, context: ImportContext): DynamicValue | null {
  if (!operand.startsWith('{{'))
    return parseNumber(operand) === null ? null : staticValue(sign === '-' ? `-${operand}` : operand)
  return sign === '+' ? context.text(operand, caps.setVariable) : null
}

function isVariable(operand: string, variableId: string, context: ImportContext): boolean {
  if (!operand.startsWith('{{')) return false
  const value = context.text(operand, caps.setVariable)
  const only = value.type === 'dynamic' && value.parts.length === 1 ? value.parts[0] : undefined
  return only?.type === 'variable' && only.variable_id === variableId
}
